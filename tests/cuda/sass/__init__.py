"""Runs CUDA kernels, as their machine code (SASS) says, on secrets, and compares what an observer could see.

    elf         what a cubin holds
    listing     its instructions, as nvdisasm prints them
    operands    an operand of an instruction
    translate   a block of instructions to a Python function
    thread      one thread: registers, memory, and its trace
    launch      a kernel's argument and where its columns are
    reference   curves and signature schemes, on Python's integers
    cases       for each kernel: inputs, secrets, and the results that they must have
    check       the comparison
"""
