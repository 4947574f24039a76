#include "nn/hdf5_handle.hpp"

namespace awale::nn {
namespace {

std::mutex& hdf5_mutex() {
  static std::mutex mutex;
  return mutex;
}

constexpr std::size_t kMemoryGrowth = std::size_t{1} << 20;

}  // namespace

Hdf5Lock::Hdf5Lock() : guard_(hdf5_mutex()) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

std::string hdf5_message() {
  std::string message;
  const auto take_first = [](unsigned, const H5E_error2_t* error, void* text) -> herr_t {
    auto& first = *static_cast<std::string*>(text);
    if (first.empty() && error->desc != nullptr) first = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, &message);
  return message.empty() ? "no reason given" : message;
}

Hdf5Handle memory_access_properties() {
  Hdf5Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(properties.get(), kMemoryGrowth, /*backing_store=*/false);
  H5Pset_libver_bounds(properties.get(), H5F_LIBVER_V110, H5F_LIBVER_V110);
  return properties;
}

std::string unique_memory_name() {
  static std::uint64_t counter = 0;  // guarded by the lock
  return "/dev/null/" + std::to_string(counter++);
}

}  // namespace awale::nn
