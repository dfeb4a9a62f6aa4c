"""Where gecc finds its kernels for NVIDIA GPUs. There is nothing here to be called."""
