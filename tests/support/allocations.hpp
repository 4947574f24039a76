// Counts every call of operator new in a program that has allocations.cpp among its sources.
#pragma once

#include <cstddef>

namespace awale::test {

std::size_t allocations();

}  // namespace awale::test
