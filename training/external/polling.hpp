// Processes of one run see each other by files alone, on folders that hosts share: they look.
#pragma once

#include <chrono>

namespace awale::training {

inline constexpr std::chrono::milliseconds kPollInterval{200};

}  // namespace awale::training
