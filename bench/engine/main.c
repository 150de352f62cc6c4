#include "engine.h"

int main(int argc, char **argv) { return bench_worker(argc, argv); }
