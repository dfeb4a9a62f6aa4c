#include "bench/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pixels: the picture, the axes in it, and the legend to their right, a line for each series. */
enum { WIDTH = 960, HEIGHT = 560, LEFT = 80, RIGHT = 640, TOP = 30, BOTTOM = 480, LEGEND = 660, LEGEND_LINE = 16 };

struct plot_point {
    char series[96]; /* "ecdsa.verify, P-256, pageable" */
    double batch, rate;
};

/* The axes: powers of 2 of rows, powers of 10 of rates. */
struct axes {
    int first_batch, last_batch, first_rate, last_rate;
};

bool plot_add(struct plot *plot, const struct bench_line *line) {
    if (plot->count == plot->capacity) {
        const size_t capacity = plot->capacity ? 2 * plot->capacity : 64;
        struct plot_point *points = realloc(plot->points, capacity * sizeof *points);
        if (!points)
            return false;
        plot->points = points;
        plot->capacity = capacity;
    }
    struct plot_point *point = &plot->points[plot->count++];
    snprintf(point->series, sizeof point->series, "%.40s, %.20s, %.12s", line->operation, line->domain, line->time);
    point->batch = (double)line->batch;
    point->rate = line->rate.median;
    return true;
}

void plot_free(struct plot *plot) {
    free(plot->points);
    *plot = (struct plot){.count = 0};
}

static struct axes axes_of(const struct plot *plot) {
    struct axes axes = {30, 0, 15, 0};
    for (size_t i = 0; i < plot->count; i++) {
        const int batch = (int)floor(log2(plot->points[i].batch)), rate = (int)floor(log10(plot->points[i].rate));
        axes.first_batch = batch < axes.first_batch ? batch : axes.first_batch;
        axes.last_batch = batch + 1 > axes.last_batch ? batch + 1 : axes.last_batch;
        axes.first_rate = rate < axes.first_rate ? rate : axes.first_rate;
        axes.last_rate = rate + 1 > axes.last_rate ? rate + 1 : axes.last_rate;
    }
    return axes;
}

static double x_of(const struct axes *axes, double exponent) {
    return LEFT + (RIGHT - LEFT) * (exponent - axes->first_batch) / (axes->last_batch - axes->first_batch);
}

static double y_of(const struct axes *axes, double exponent) {
    return BOTTOM - (BOTTOM - TOP) * (exponent - axes->first_rate) / (axes->last_rate - axes->first_rate);
}

static void put_text(FILE *file, double x, double y, const char *anchor, const char *text) {
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    for (; *text; text++)
        if (*text == '<' || *text == '&')
            fputs(*text == '<' ? "&lt;" : "&amp;", file);
        else
            putc(*text, file);
    fputs("</text>\n", file);
}

static void put_axes(FILE *file, const struct axes *axes) {
    static const char *const units[] = {"", " thousand", " million", " billion", " trillion"};
    char text[32];
    const int step = 1 + (axes->last_batch - axes->first_batch) / 12;
    for (int e = axes->first_batch; e <= axes->last_batch; e += step) {
        const double x = x_of(axes, e);
        fprintf(file, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ddd\"/>\n", x, TOP, x, BOTTOM);
        snprintf(text, sizeof text, "%ld", 1L << e);
        put_text(file, x, BOTTOM + 16, "middle", text);
    }
    for (int e = axes->first_rate; e <= axes->last_rate; e++) {
        const double y = y_of(axes, e);
        fprintf(file, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", LEFT, y, RIGHT, y);
        snprintf(text, sizeof text, "%.0f%s", pow(10, e % 3), units[e / 3 < 4 ? e / 3 : 4]);
        put_text(file, LEFT - 6, y + 4, "end", text);
    }
    put_text(file, (LEFT + RIGHT) / 2.0, BOTTOM + 36, "middle", "rows in a batch");
    put_text(file, LEFT, TOP - 10, "start", "rows a second, median");
}

/* The points of a series, in the order in which they were measured, and its name. */
static void put_series(FILE *file, const struct plot *plot, const struct axes *axes, size_t first, size_t number) {
    static const char *const colours[] = {"#2b5c8a", "#b4652f", "#3f7d4e", "#8a2b5c",
                                          "#777777", "#a08a1e", "#1e8aa0", "#5c2b8a"};
    const char *colour = colours[number % (sizeof colours / sizeof *colours)], *series = plot->points[first].series;
    fprintf(file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"", colour);
    for (size_t i = first; i < plot->count; i++)
        if (strcmp(plot->points[i].series, series) == 0)
            fprintf(file, "%.1f,%.1f ", x_of(axes, log2(plot->points[i].batch)),
                    y_of(axes, log10(plot->points[i].rate)));
    fputs("\"/>\n", file);
    for (size_t i = first; i < plot->count; i++)
        if (strcmp(plot->points[i].series, series) == 0)
            fprintf(file,
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>%s: %.0f rows, %.0f a second"
                    "</title></circle>\n",
                    x_of(axes, log2(plot->points[i].batch)), y_of(axes, log10(plot->points[i].rate)), colour, series,
                    plot->points[i].batch, plot->points[i].rate);
    const int y = TOP + LEGEND_LINE * (int)number;
    fprintf(file, "<rect x=\"%d\" y=\"%d\" width=\"10\" height=\"10\" fill=\"%s\"/>\n", LEGEND, y, colour);
    put_text(file, LEGEND + 16, y + 9, "start", series);
}

static bool is_first(const struct plot *plot, size_t i) {
    size_t first = 0;
    while (strcmp(plot->points[first].series, plot->points[i].series) != 0)
        first++;
    return first == i;
}

void plot_write(const struct plot *plot, FILE *file) {
    const struct axes axes = axes_of(plot);
    size_t number = 0;
    for (size_t i = 0; i < plot->count; i++)
        number += is_first(plot, i);
    const int legend = TOP + LEGEND_LINE * (int)number + 20, height = legend > HEIGHT ? legend : HEIGHT;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
            "font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            WIDTH, height);
    if (plot->count)
        put_axes(file, &axes);
    number = 0;
    for (size_t i = 0; i < plot->count; i++)
        if (is_first(plot, i))
            put_series(file, plot, &axes, i, number++);
    put_text(file, LEFT, BOTTOM + 60, "start", plot->machine);
    fputs("</svg>\n", file);
}
