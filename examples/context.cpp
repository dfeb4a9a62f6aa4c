// A context that closes itself, and errors as exceptions: gecc from C++.
#include <gecc/gecc.h>

#include <array>
#include <cstdint>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <vector>

struct Close {
    void operator()(gecc_context *context) const { gecc_close(context); }
};
using Context = std::unique_ptr<gecc_context, Close>;

static void check(gecc_result result) {
    if (result != GECC_OK)
        throw std::runtime_error(gecc_error_text());
}

static Context open() {
    gecc_context *context = nullptr;
    check(gecc_open(&context, nullptr));
    return Context(context);
}

int main() {
    try {
        Context context = open();
        std::vector<std::array<std::uint8_t, 32>> scalars(100);
        std::vector<std::array<std::uint8_t, 33>> points(scalars.size());
        std::vector<std::uint8_t> status(scalars.size());
        for (std::size_t i = 0; i < scalars.size(); i++)
            scalars[i][31] = static_cast<std::uint8_t>(i);
        gecc_options options = GECC_OPTIONS_INIT;
        options.point_format = GECC_POINT_COMPRESSED;
        options.flags = GECC_PUBLIC_SCALARS;
        check(gecc_ec_mul_base(context.get(), GECC_SECP256K1, gecc_out_packed(points.data(), 33),
                               gecc_out_packed(status.data(), 1), gecc_rows_packed(scalars.data(), 32), scalars.size(),
                               &options));
        std::cout << "row 0: " << gecc_item_text(status[0]) << "\nrow 1: " << gecc_item_text(status[1]) << "\n";

        // Row 0 is 0 * G. Now a mistake that the library refuses, and says what it was.
        check(gecc_ec_mul_base(context.get(), GECC_P384, gecc_out_packed(points.data(), 33),
                               gecc_out_packed(status.data(), 1), gecc_rows_packed(scalars.data(), 32), scalars.size(),
                               &options));
    } catch (const std::runtime_error &error) {
        std::cout << "refused: " << error.what() << "\n";
    }
}
