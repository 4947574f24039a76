#include <algorithm>

#include "env/error.hpp"
#include "nn/atomic_file.hpp"
#include "nn/hdf5_file.hpp"
#include "nn/hdf5_handle.hpp"

namespace awale::nn {
namespace {

// No deflated dataset holds more than this many bytes a byte of its file (zlib's limit is 1032): a
// shape that claims more is damaged, and is not allocated.
constexpr std::size_t kMaxExpansion = 1100;

std::string text_of(const std::vector<std::size_t>& shape) {
  std::string text;
  for (const auto size : shape)
    text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "[" + text + "]";
}

std::string numpy_name(hid_t type) {
#define AWALE_NAME_IF_EQUAL(T) \
  if (H5Tequal(type, Hdf5Type<T>::file()) > 0) return Hdf5Type<T>::kName;
  AWALE_HDF5_FOR_EACH_TYPE(AWALE_NAME_IF_EQUAL)
#undef AWALE_NAME_IF_EQUAL
  const bool is_string = H5Tget_class(type) == H5T_STRING;
  if (is_string && H5Tis_variable_str(type) == 0) return "fixed-length string";
  return is_string ? "variable-length string" : "another type";
}

}  // namespace

struct Hdf5Reader::Impl {
  std::filesystem::path path;
  std::size_t file_bytes = 0;
  Hdf5Handle file;

  explicit Impl(const std::filesystem::path& file_path, std::span<std::byte> bytes)
      : path(file_path), file_bytes(bytes.size()) {
    if (bytes.empty()) fail("", "the file is empty");
    const Hdf5Handle access = memory_access_properties();
    H5Pset_file_image(access.get(), bytes.data(), bytes.size());
    file =
        Hdf5Handle(H5Fopen(unique_memory_name().c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
    if (!file.valid()) fail("", "no HDF5 file, or damaged or cut short (" + hdf5_message() + ")");
  }

  [[noreturn]] void fail(const std::string& item, const std::string& problem) const {
    throw InputError(ErrorKind::kFile, "'" + path.string() + "'" +
                                           (item.empty() ? "" : ", " + item) + ": " + problem);
  }

  [[noreturn]] void fail_damaged(const std::string& item) const {
    fail(item, "damaged (" + hdf5_message() + ")");
  }

  // A group or dataset.
  Hdf5Handle open_object(const std::string& name) const {
    if (!exists(name)) fail(name, "missing");
    Hdf5Handle object(H5Oopen(file.get(), name.c_str(), H5P_DEFAULT), H5Oclose);
    if (!object.valid()) fail_damaged(name);
    return object;
  }

  // False for a missing name; a link on the way that cannot be read is an error.
  bool exists(const std::string& name) const {
    if (name == "/") return true;
    for (std::size_t slash = name.find('/', 1);; slash = name.find('/', slash + 1)) {
      const htri_t found = H5Lexists(file.get(), name.substr(0, slash).c_str(), H5P_DEFAULT);
      if (found < 0) fail_damaged(name);
      if (found == 0) return false;
      if (slash == std::string::npos) return true;
    }
  }

  Hdf5Handle open_attribute(const std::string& object, const std::string& name) const {
    const std::string item = object + "@" + name;
    const Hdf5Handle owner = open_object(object);
    const htri_t found = H5Aexists(owner.get(), name.c_str());
    if (found == 0) fail(item, "missing");
    Hdf5Handle attribute(H5Aopen(owner.get(), name.c_str(), H5P_DEFAULT), H5Aclose);
    if (found < 0 || !attribute.valid()) fail_damaged(item);
    const Hdf5Handle space(H5Aget_space(attribute.get()), H5Sclose);
    if (H5Sget_simple_extent_npoints(space.get()) != 1) fail(item, "expected a single value");
    return attribute;
  }

  std::string type_name(const Hdf5Handle& attribute) const {
    return numpy_name(Hdf5Handle(H5Aget_type(attribute.get()), H5Tclose).get());
  }

  template <typename T>
  T number(const std::string& object, const std::string& name) const {
    const std::string item = object + "@" + name;
    const Hdf5Handle attribute = open_attribute(object, name);
    check_type(item, Hdf5Type<T>::kName, type_name(attribute));
    T value = {};
    if (H5Aread(attribute.get(), Hdf5Type<T>::memory(), &value) < 0) fail_damaged(item);
    return value;
  }

  std::string text(const std::string& object, const std::string& name) const {
    const std::string item = object + "@" + name;
    const Hdf5Handle attribute = open_attribute(object, name);
    check_type(item, "fixed-length string", type_name(attribute));
    const Hdf5Handle type(H5Aget_type(attribute.get()), H5Tclose);
    std::string value(H5Tget_size(type.get()), '\0');
    if (H5Aread(attribute.get(), type.get(), value.data()) < 0) fail_damaged(item);
    value.resize(std::min(value.size(), value.find('\0')));
    return value;
  }

  void check_type(const std::string& item, const std::string& expected,
                  const std::string& found) const {
    if (found != expected) fail(item, "expected type " + expected + ", found " + found);
  }

  Hdf5Handle open_dataset(const std::string& name) const {
    Hdf5Handle object = open_object(name);
    if (H5Iget_type(object.get()) != H5I_DATASET) fail(name, "expected a dataset");
    return object;
  }

  Hdf5DatasetInfo info(const std::string& name, const Hdf5Handle& dataset) const {
    const Hdf5Handle type(H5Dget_type(dataset.get()), H5Tclose);
    const Hdf5Handle space(H5Dget_space(dataset.get()), H5Sclose);
    if (!type.valid() || !space.valid()) fail_damaged(name);
    std::vector<hsize_t> extent(
        static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space.get()))));
    H5Sget_simple_extent_dims(space.get(), extent.data(), nullptr);
    return {numpy_name(type.get()), {extent.begin(), extent.end()}};
  }

  // The number of values of a shape that the file can really hold.
  std::size_t count_values(const std::string& name, const std::vector<std::size_t>& shape,
                           std::size_t value_bytes) const {
    const std::size_t limit = file_bytes * kMaxExpansion / value_bytes;
    std::size_t count = 1;
    for (const auto size : shape) {
      if (size > 0 && count > limit / size) {
        fail(name, "shape " + text_of(shape) + " is more than the file can hold");
      }
      count *= size;
    }
    return count;
  }
};

Hdf5Reader::Hdf5Reader(const std::filesystem::path& path) {
  std::vector<std::byte> bytes = read_file(path);
  const Hdf5Lock lock;
  impl_ = std::make_unique<Impl>(path, bytes);
}

Hdf5Reader::Hdf5Reader(const std::filesystem::path& name, std::span<const std::byte> file) {
  std::vector<std::byte> bytes(file.begin(), file.end());  // which HDF5 may change
  const Hdf5Lock lock;
  impl_ = std::make_unique<Impl>(name, bytes);
}

Hdf5Reader::~Hdf5Reader() {
  const Hdf5Lock lock;
  impl_.reset();
}

const std::filesystem::path& Hdf5Reader::path() const {
  return impl_->path;
}

bool Hdf5Reader::has(const std::string& path) const {
  const Hdf5Lock lock;
  return impl_->exists(path);
}

bool Hdf5Reader::is_group(const std::string& path) const {
  const Hdf5Lock lock;
  return H5Iget_type(impl_->open_object(path).get()) == H5I_GROUP;
}

std::vector<std::string> Hdf5Reader::children(const std::string& group) const {
  const Hdf5Lock lock;
  const Hdf5Handle object = impl_->open_object(group);
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  if (H5Literate(object.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names) < 0) {
    impl_->fail_damaged(group);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string numbered_group(const std::string& list, std::size_t index) {
  std::string group = list;
  group += '/';
  group += std::to_string(index);
  return group;
}

std::size_t Hdf5Reader::numbered_groups(const std::string& list) const {
  if (!has(list)) return 0;
  const std::size_t count = children(list).size();
  for (std::size_t i = 0; i < count; ++i) {
    if (!has(numbered_group(list, i)))
      impl_->fail("",
                  list + ": expected groups 0 to " + std::to_string(count - 1) + ", found others");
  }
  return count;
}

std::vector<std::string> Hdf5Reader::attributes(const std::string& object) const {
  const Hdf5Lock lock;
  const Hdf5Handle owner = impl_->open_object(object);
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5A_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  if (H5Aiterate2(owner.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names) < 0) {
    impl_->fail_damaged(object);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string Hdf5Reader::string_attribute(const std::string& object, const std::string& name) const {
  const Hdf5Lock lock;
  return impl_->text(object, name);
}

std::int64_t Hdf5Reader::int_attribute(const std::string& object, const std::string& name) const {
  const Hdf5Lock lock;
  return impl_->number<std::int64_t>(object, name);
}

std::uint64_t Hdf5Reader::uint_attribute(const std::string& object, const std::string& name) const {
  const Hdf5Lock lock;
  return impl_->number<std::uint64_t>(object, name);
}

double Hdf5Reader::double_attribute(const std::string& object, const std::string& name) const {
  const Hdf5Lock lock;
  return impl_->number<double>(object, name);
}

Hdf5Attribute Hdf5Reader::attribute(const std::string& object, const std::string& name) const {
  const Hdf5Lock lock;
  const std::string type = impl_->type_name(impl_->open_attribute(object, name));
  if (type == Hdf5Type<std::int64_t>::kName) return impl_->number<std::int64_t>(object, name);
  if (type == Hdf5Type<std::uint64_t>::kName) return impl_->number<std::uint64_t>(object, name);
  if (type == Hdf5Type<double>::kName) return impl_->number<double>(object, name);
  return impl_->text(object, name);
}

template <typename T>
Hdf5Array<T> Hdf5Reader::dataset(const std::string& path) const {
  const Hdf5Lock lock;
  const Hdf5Handle dataset = impl_->open_dataset(path);
  const Hdf5DatasetInfo info = impl_->info(path, dataset);
  impl_->check_type(path, Hdf5Type<T>::kName, info.type);
  Hdf5Array<T> array{{}, info.shape};
  array.values.resize(impl_->count_values(path, info.shape, sizeof(T)));
  if (!array.values.empty() && H5Dread(dataset.get(), Hdf5Type<T>::memory(), H5S_ALL, H5S_ALL,
                                       H5P_DEFAULT, array.values.data()) < 0) {
    impl_->fail_damaged(path);
  }
  return array;
}

Hdf5DatasetInfo Hdf5Reader::dataset_info(const std::string& path) const {
  const Hdf5Lock lock;
  return impl_->info(path, impl_->open_dataset(path));
}

#define AWALE_INSTANTIATE(T) \
  template Hdf5Array<T> Hdf5Reader::dataset<T>(const std::string& path) const;
AWALE_HDF5_FOR_EACH_TYPE(AWALE_INSTANTIATE)
#undef AWALE_INSTANTIATE

}  // namespace awale::nn
