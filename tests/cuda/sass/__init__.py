"""Runs CUDA kernels, as their machine code (SASS) says, on secrets, and compares what an observer could see: README.md."""
