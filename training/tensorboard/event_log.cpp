#include "training/tensorboard/event_log.hpp"

#include <isa-l/crc.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "env/error.hpp"
#include "event.pb.h"

namespace awale::training {
namespace {

static_assert(std::endian::native == std::endian::little, "TFRecords are little-endian");

constexpr int kSessionStart = 1;

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

template <typename Number>
std::string bytes_of(Number number) {
  return {reinterpret_cast<const char*>(&number), sizeof(number)};
}

// TensorFlow's, core/lib/hash/crc32c.h: so that data that hold CRCs have good ones themselves.
std::uint32_t masked_crc(std::string data) {
  // ISA-L's function leaves both inversions of CRC-32C to the caller.
  auto* bytes = reinterpret_cast<unsigned char*>(data.data());
  const std::uint32_t crc = ~crc32_iscsi(bytes, static_cast<int>(data.size()), ~0U);
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8U;
}

std::string record(const tensorboard::Event& event) {
  const std::string data = event.SerializeAsString();
  const std::string length = bytes_of(static_cast<std::uint64_t>(data.size()));
  return length + bytes_of(masked_crc(length)) + data + bytes_of(masked_crc(data));
}

std::string tag_of(const std::string& group, const std::string& name) {
  constexpr std::string_view kLoss = "loss_";
  if (!group.empty()) return group + "/" + name;
  if (name.rfind(kLoss, 0) == 0) return "loss/" + name.substr(kLoss.size());
  return "run/" + name;
}

void add_scalars(const nlohmann::ordered_json& object, const std::string& group,
                 tensorboard::Summary& summary) {
  for (const auto& [name, value] : object.items()) {
    if (value.is_number()) {
      tensorboard::Scalar* scalar = summary.add_value();
      scalar->set_tag(tag_of(group, name));
      scalar->set_simple_value(value.get<float>());
    } else if (value.is_object()) {
      add_scalars(value, group.empty() ? name : group + "/" + name, summary);
    } else if (value.is_array()) {
      for (const auto& one : value) {
        if (one.is_object() && one.contains("opponent"))
          add_scalars(one, one["opponent"].get<std::string>(), summary);
      }
    }
  }
}

// Of the process and the moment, so that no two logs share it.
std::string file_name() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto us = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
  return "events.out.tfevents." + std::to_string(us / 1'000'000) + "." +
         std::to_string(us % 1'000'000) + "." + std::to_string(getpid()) + ".awale";
}

}  // namespace

EventLog::EventLog(const std::filesystem::path& directory, std::uint32_t iteration)
    : path_(directory / file_name()) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  file_.open(path_, std::ios::binary | std::ios::app);
  tensorboard::Event version;
  version.set_wall_time(seconds_since_1970());
  version.set_file_version("brain.Event:2");
  tensorboard::Event start;
  start.set_wall_time(seconds_since_1970());
  start.set_step(std::int64_t{iteration} + 1);
  start.mutable_session_log()->set_status(kSessionStart);
  file_ << record(version) << record(start) << std::flush;
  if (!file_) {
    throw InputError(ErrorKind::kWrite, path_.string() + ": cannot write: " + std::strerror(errno));
  }
}

void EventLog::append(const nlohmann::ordered_json& line) {
  tensorboard::Event event;
  event.set_wall_time(seconds_since_1970());
  event.set_step(line.at("iteration").get<std::int64_t>());
  add_scalars(line, "", *event.mutable_summary());
  const std::lock_guard lock(mutex_);
  file_ << record(event) << std::flush;
  if (!file_) {
    throw InputError(ErrorKind::kWrite,
                     path_.string() + ": cannot append: " + std::strerror(errno));
  }
}

}  // namespace awale::training
