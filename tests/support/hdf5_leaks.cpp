// HDF5 itself loses memory when it meets damaged metadata. LeakSanitizer shall not report that; a
// program whose tests damage files lists this file among its sources.
// NOLINTNEXTLINE(readability-identifier-naming): LeakSanitizer looks for this name.
extern "C" const char* __lsan_default_suppressions();
// NOLINTNEXTLINE(readability-identifier-naming): LeakSanitizer looks for this name.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libhdf5\n";
}
