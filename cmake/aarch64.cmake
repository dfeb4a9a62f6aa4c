# Cross-compiling for 64-bit ARM with Debian's packages: gcc-aarch64-linux-gnu, libraries of the architecture arm64, and
# qemu-user, which runs the tests. scripts/check-aarch64 installs them where they harm nobody.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig)
