// Private to hdf5_writer.cpp and hdf5_reader.cpp: HDF5's C handles as owners, its lock, its
// messages.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

namespace awale::nn {

// Held during every call of HDF5, handles' closing included; keeps HDF5 from printing errors.
class Hdf5Lock {
 public:
  Hdf5Lock();

 private:
  std::lock_guard<std::mutex> guard_;
};

class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept
      : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Handle() {
    if (id_ >= 0) close_(id_);
  }
  bool valid() const { return id_ >= 0; }
  hid_t get() const { return id_; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

// The innermost message of the last call that failed, e.g. "file signature not found".
std::string hdf5_message();

// Access properties of a file in memory, in the file format of HDF5 1.10 whatever the library's
// version.
Hdf5Handle memory_access_properties();

// HDF5 takes files in memory with equal names for the same file, and looks for a file of that name
// on the disk: a name that is new and can never exist.
std::string unique_memory_name();

// The type in files (little-endian), in memory, and its name in numpy.
template <typename T>
struct Hdf5Type;

#define AWALE_HDF5_TYPE(type, file_type, memory_type, numpy_name) \
  template <>                                                     \
  struct Hdf5Type<type> {                                         \
    static hid_t file() { return file_type; }                     \
    static hid_t memory() { return memory_type; }                 \
    static constexpr const char* kName = numpy_name;              \
  }
AWALE_HDF5_TYPE(std::uint8_t, H5T_STD_U8LE, H5T_NATIVE_UINT8, "uint8");
AWALE_HDF5_TYPE(std::int8_t, H5T_STD_I8LE, H5T_NATIVE_INT8, "int8");
AWALE_HDF5_TYPE(std::uint16_t, H5T_STD_U16LE, H5T_NATIVE_UINT16, "uint16");
AWALE_HDF5_TYPE(std::int16_t, H5T_STD_I16LE, H5T_NATIVE_INT16, "int16");
AWALE_HDF5_TYPE(std::uint32_t, H5T_STD_U32LE, H5T_NATIVE_UINT32, "uint32");
AWALE_HDF5_TYPE(std::int32_t, H5T_STD_I32LE, H5T_NATIVE_INT32, "int32");
AWALE_HDF5_TYPE(std::uint64_t, H5T_STD_U64LE, H5T_NATIVE_UINT64, "uint64");
AWALE_HDF5_TYPE(std::int64_t, H5T_STD_I64LE, H5T_NATIVE_INT64, "int64");
AWALE_HDF5_TYPE(float, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, "float32");
AWALE_HDF5_TYPE(double, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, "float64");
#undef AWALE_HDF5_TYPE

// The element types of datasets, for explicit instantiation and for looking a type up.
#define AWALE_HDF5_FOR_EACH_TYPE(macro)                                                 \
  macro(std::uint8_t) macro(std::int8_t) macro(std::uint16_t) macro(std::int16_t)       \
      macro(std::uint32_t) macro(std::int32_t) macro(std::uint64_t) macro(std::int64_t) \
          macro(float) macro(double)

}  // namespace awale::nn
