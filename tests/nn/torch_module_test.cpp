// LibTorch by way of its module: loaded only when it is needed, the same results, errors that cross
// its border.
#include "nn/torch_module.hpp"

#include <dlfcn.h>

#include "nn/network_evaluator.hpp"
#include "tests/contract/evaluator_contract.hpp"
#include "tests/support/errors.hpp"

namespace awale::test {
namespace {

bool torch_is_loaded() {
  return dlopen("libawale_torch.so", RTLD_NOW | RTLD_NOLOAD) != nullptr;
}

// The tests of a program run in an order of its own choice, but each in a process of its own.
TEST_CASE("LibTorch is loaded by the first evaluator that needs it, and by no other") {
  const nn::NetworkWeights weights = lively_weights({1, 8}, 1);
  const bool before = torch_is_loaded();
  nn::make_network_source(weights, {nn::EvaluatorKind::kEigen})->make();
  CHECK(torch_is_loaded() == before);
  nn::make_network_source(weights, {nn::EvaluatorKind::kTorch})->make();
  CHECK(torch_is_loaded());
}

TEST_CASE("An evaluator of the module keeps the evaluator contract") {
  const auto source =
      nn::make_network_source(lively_weights({2, 24}, 3), {nn::EvaluatorKind::kTorch});
  check_evaluator_contract(*source->make(), {.between_batch_sizes = 1e-5});
}

TEST_CASE("What the module throws is caught by its type") {
  CHECK(contains(error_of(ErrorKind::kWrite,
                          [] {
                            nn::export_network(lively_weights({1, 8}, 1),
                                               std::vector<env::RuleSet>{env::RuleSet{}},
                                               nn::ExportFormat::kOnnx, "/nowhere/agent.onnx");
                          }),
                 "/nowhere"));
}

TEST_CASE("A table that the module lacks is an error that names it") {
  CHECK(contains(error_of(ErrorKind::kFile, [] { nn::torch_table("awale_no_such_table"); }),
                 "awale_no_such_table"));
}

}  // namespace
}  // namespace awale::test
