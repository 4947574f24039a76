#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>

#include "env/error.hpp"
#include "nn/atomic_file.hpp"
#include "nn/hdf5_file.hpp"
#include "nn/hdf5_handle.hpp"

namespace awale::nn {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 20;
constexpr unsigned kDeflateLevel = 1;  // 4 saves another 4 % and takes 1.5 times as long
constexpr unsigned kMaxInHeader = 65535;
constexpr std::size_t kMaxTextBytes = 60000;

// For calls that only fail when we misuse them (or memory is out).
void check(bool done, const std::string& doing, const std::string& item) {
  AWALE_CHECK(done, "HDF5, " << doing << " '" << item << "': " << hdf5_message());
}

// "a/b" of "a/b/c", "" of "c".
std::string parent_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

// For whatever carries attributes. They all stay in the object's header, up to 64 KiB each, because
// the heap that would take over from the ninth has no checksum for long values.
Hdf5Handle object_properties(hid_t property_class) {
  Hdf5Handle properties(H5Pcreate(property_class), H5Pclose);
  H5Pset_obj_track_times(properties.get(), false);
  H5Pset_attr_phase_change(properties.get(), kMaxInHeader, 0);
  return properties;
}

// For groups, the file's root included: names stay in the header for the same reason.
Hdf5Handle group_properties(hid_t property_class) {
  Hdf5Handle properties = object_properties(property_class);
  H5Pset_link_phase_change(properties.get(), kMaxInHeader, 0);
  return properties;
}

// Chunks of whole rows; an empty dataset has nothing to chunk.
Hdf5Handle dataset_layout(const std::vector<hsize_t>& shape, std::size_t count,
                          std::size_t value_bytes) {
  Hdf5Handle properties = object_properties(H5P_DATASET_CREATE);
  if (count == 0) return properties;
  const std::size_t row_bytes = count / shape[0] * value_bytes;
  std::vector<hsize_t> chunk = shape;
  chunk[0] = std::clamp<hsize_t>(kChunkBytes / row_bytes, 1, shape[0]);
  H5Pset_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data());
  if (value_bytes > 1) H5Pset_shuffle(properties.get());
  H5Pset_deflate(properties.get(), kDeflateLevel);
  H5Pset_fletcher32(properties.get());
  return properties;
}

// The bytes of a file in memory, which HDF5 hands over when it closes the file. (Not
// H5Fget_file_image: until HDF5 1.14.6 the superblock of its image has a wrong checksum,
// HDFGroup/hdf5 issue 1915.)
class ClosedImage {
 public:
  // Makes files opened with `access` write to this image; it must outlive them.
  void capture(hid_t access) {
    H5FD_file_image_callbacks_t callbacks = {};
    callbacks.image_realloc = [](void* memory, std::size_t size, H5FD_file_image_op_t, void*) {
      return std::realloc(memory, size);
    };
    callbacks.image_free = [](void* memory, H5FD_file_image_op_t, void* image) -> herr_t {
      static_cast<ClosedImage*>(image)->memory_.reset(memory);
      return 0;
    };
    callbacks.udata_copy = [](void* image) { return image; };
    callbacks.udata_free = [](void*) -> herr_t { return 0; };
    callbacks.udata = this;
    check(H5Pset_file_image_callbacks(access, &callbacks) >= 0, "capturing a file in", "memory");
  }

  // Valid as long as the image.
  std::span<const std::byte> close(Hdf5Handle file) {
    check(H5Fflush(file.get(), H5F_SCOPE_GLOBAL) >= 0, "flushing the file in", "memory");
    const ssize_t size = H5Fget_file_image(file.get(), nullptr, 0);
    file = Hdf5Handle();
    check(size > 0 && memory_ != nullptr, "closing the file in", "memory");
    return {static_cast<const std::byte*>(memory_.get()), static_cast<std::size_t>(size)};
  }

 private:
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  std::unique_ptr<void, Free> memory_;
};

}  // namespace

struct Hdf5Writer::Impl {
  ClosedImage image;
  Hdf5Handle file;

  Impl() {
    const Hdf5Handle access = memory_access_properties();
    image.capture(access.get());
    file = Hdf5Handle(H5Fcreate(unique_memory_name().c_str(), H5F_ACC_TRUNC,
                                group_properties(H5P_FILE_CREATE).get(), access.get()),
                      H5Fclose);
    check(file.valid(), "creating a file in", "memory");
  }

  // Makes `path` exist, as a group unless it is something already. (Not left to HDF5's intermediate
  // groups, which carry time stamps.)
  void ensure(const std::string& path) const {
    if (path == "/" || path.empty()) return;
    ensure(parent_of(path));
    if (H5Lexists(file.get(), path.c_str(), H5P_DEFAULT) > 0) return;
    const Hdf5Handle group(H5Gcreate2(file.get(), path.c_str(), H5P_DEFAULT,
                                      group_properties(H5P_GROUP_CREATE).get(), H5P_DEFAULT),
                           H5Gclose);
    check(group.valid(), "creating group", path);
  }

  void write_attribute(const std::string& object, const std::string& name, hid_t file_type,
                       hid_t memory_type, const void* value) const {
    ensure(object);
    const Hdf5Handle scalar(H5Screate(H5S_SCALAR), H5Sclose);
    const Hdf5Handle attribute(
        H5Acreate_by_name(file.get(), object.c_str(), name.c_str(), file_type, scalar.get(),
                          H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Aclose);
    check(attribute.valid() && H5Awrite(attribute.get(), memory_type, value) >= 0,
          "writing attribute", object + "@" + name);
  }

  template <typename T>
  void write_number(const std::string& object, const std::string& name, T value) const {
    write_attribute(object, name, Hdf5Type<T>::file(), Hdf5Type<T>::memory(), &value);
  }
};

Hdf5Writer::Hdf5Writer() {
  const Hdf5Lock lock;
  impl_ = std::make_unique<Impl>();
}

Hdf5Writer::~Hdf5Writer() {
  const Hdf5Lock lock;
  impl_.reset();
}

void Hdf5Writer::attribute(const std::string& object, const std::string& name,
                           const std::string& value) {
  AWALE_CHECK(value.size() <= kMaxTextBytes,
              object << "@" << name << ": " << value.size() << " bytes");
  const Hdf5Lock lock;
  // Of fixed length: strings of variable length live in a heap that has no checksum.
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), std::max<std::size_t>(1, value.size()));
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  impl_->write_attribute(object, name, type.get(), type.get(), value.c_str());
}

void Hdf5Writer::attribute(const std::string& object, const std::string& name, std::int64_t value) {
  const Hdf5Lock lock;
  impl_->write_number(object, name, value);
}

void Hdf5Writer::attribute(const std::string& object, const std::string& name,
                           std::uint64_t value) {
  const Hdf5Lock lock;
  impl_->write_number(object, name, value);
}

void Hdf5Writer::attribute(const std::string& object, const std::string& name, double value) {
  const Hdf5Lock lock;
  impl_->write_number(object, name, value);
}

template <typename T>
void Hdf5Writer::dataset(const std::string& path, std::span<const T> values,
                         const std::vector<std::size_t>& shape) {
  const auto count =
      std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
  AWALE_CHECK(!shape.empty() && count == values.size(),
              path << ": " << values.size() << " values for a shape of " << count);
  const Hdf5Lock lock;
  const std::vector<hsize_t> extent(shape.begin(), shape.end());
  const Hdf5Handle space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr),
                         H5Sclose);
  const Hdf5Handle layout = dataset_layout(extent, count, sizeof(T));
  impl_->ensure(parent_of(path));
  const Hdf5Handle dataset(H5Dcreate2(impl_->file.get(), path.c_str(), Hdf5Type<T>::file(),
                                      space.get(), H5P_DEFAULT, layout.get(), H5P_DEFAULT),
                           H5Dclose);
  check(dataset.valid(), "creating dataset", path);
  const herr_t written =
      H5Dwrite(dataset.get(), Hdf5Type<T>::memory(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  check(count == 0 || written >= 0, "writing dataset", path);
}

void Hdf5Writer::write(const std::filesystem::path& path) {
  std::unique_ptr<Impl> closing;
  std::span<const std::byte> bytes;
  {
    const Hdf5Lock lock;
    closing = std::exchange(impl_, std::make_unique<Impl>());
    bytes = closing->image.close(std::move(closing->file));
  }
  write_file_atomically(path, bytes);
}

#define AWALE_INSTANTIATE(T)                                                            \
  template void Hdf5Writer::dataset(const std::string& path, std::span<const T> values, \
                                    const std::vector<std::size_t>& shape);
AWALE_HDF5_FOR_EACH_TYPE(AWALE_INSTANTIATE)
#undef AWALE_INSTANTIATE

}  // namespace awale::nn
