// The little of HDF5 that we use, with our errors: typed arrays and attributes.
//
// A file is built in memory (HDF5's core driver) and lands on disk through write_file_atomically,
// so a full disk or a kill can never leave a broken file, and equal contents give equal bytes (no
// time stamps). It is read as a whole, too. Datasets are chunked, shuffled, deflated and carry
// Fletcher-32 checksums, and the metadata (HDF5 1.10's format, attributes as fixed-length strings)
// carries checksums of its own, so that flipped bytes are noticed; this guards against accidents,
// not against crafted files. HDF5 is not thread-safe here: a mutex inside serializes all calls.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace awale::nn {

// T is one of std::uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t, float,
// double.
// Paths are HDF5 paths ("plies/board", "/" for the root); missing groups on the way are created.
// Writing a name twice is a bug of the caller and aborts.
class Hdf5Writer {
 public:
  Hdf5Writer();
  ~Hdf5Writer();

  // `object` is a group, which is created where needed, or a dataset that has been written. Texts
  // hold at most 60,000 bytes.
  void attribute(const std::string& object, const std::string& name, const std::string& value);
  void attribute(const std::string& object, const std::string& name, std::int64_t value);
  void attribute(const std::string& object, const std::string& name, std::uint64_t value);
  void attribute(const std::string& object, const std::string& name, double value);

  // Row-major `values` of `shape` (at least one dimension); the product of the shape is the number
  // of values, 0 allowed.
  template <typename T>
  void dataset(const std::string& path, std::span<const T> values,
               const std::vector<std::size_t>& shape);

  // Closes the file and writes it; the writer is empty afterwards. Throws InputError(kWrite).
  void write(const std::filesystem::path& path);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

template <typename T>
struct Hdf5Array {
  std::vector<T> values;  // row-major
  std::vector<std::size_t> shape;
};

using Hdf5Attribute = std::variant<std::int64_t, std::uint64_t, double, std::string>;

// What a dataset is, without its values.
struct Hdf5DatasetInfo {
  std::string type;  // as in numpy: "uint8", "float32", ...
  std::vector<std::size_t> shape;
};

// "rules/3": how lists are kept, a group each, numbered from 0 on.
std::string numbered_group(const std::string& list, std::size_t index);

// Every function throws InputError(kFile) that names file and item when it is missing, of another
// type or damaged.
class Hdf5Reader {
 public:
  // Reads the whole file into memory.
  explicit Hdf5Reader(const std::filesystem::path& path);
  // Of a file in memory, which errors call `name`.
  Hdf5Reader(const std::filesystem::path& name, std::span<const std::byte> file);
  ~Hdf5Reader();

  const std::filesystem::path& path() const;
  bool has(const std::string& path) const;
  bool is_group(const std::string& path) const;
  // Names of groups and datasets directly below `group`, sorted.
  std::vector<std::string> children(const std::string& group) const;
  // How many groups numbered_group() names below `list`, 0 without a list; others must not be
  // there.
  std::size_t numbered_groups(const std::string& list) const;
  // Attribute names of the group or dataset `object`, sorted.
  std::vector<std::string> attributes(const std::string& object) const;

  std::string string_attribute(const std::string& object, const std::string& name) const;
  std::int64_t int_attribute(const std::string& object, const std::string& name) const;
  std::uint64_t uint_attribute(const std::string& object, const std::string& name) const;
  double double_attribute(const std::string& object, const std::string& name) const;
  // Whichever of the four it is.
  Hdf5Attribute attribute(const std::string& object, const std::string& name) const;

  template <typename T>
  Hdf5Array<T> dataset(const std::string& path) const;
  Hdf5DatasetInfo dataset_info(const std::string& path) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace awale::nn
