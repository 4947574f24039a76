#include "nn/weights.hpp"

#include <cmath>
#include <limits>
#include <set>

#include "nn/encoder.hpp"
#include "nn/hdf5_file.hpp"
#include "tests/nn/random_positions.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temp_dir.hpp"

namespace awale::test {
namespace {

using nn::NetworkWeights;

const nn::NetworkConfig kSmall{1, 4};

std::filesystem::path saved(const tests::TempDir& dir, const NetworkWeights& weights) {
  nn::Hdf5Writer writer;
  nn::store(weights, writer, "network");
  const auto path = dir / "network.h5";
  writer.write(path);
  return path;
}

NetworkWeights loaded(const std::filesystem::path& path) {
  return nn::load(nn::Hdf5Reader(path), "network");
}

TEST_CASE("Weights come back from a file bit for bit") {
  const tests::TempDir dir;
  const NetworkWeights weights = lively_weights({2, 8}, 1);
  const NetworkWeights back = loaded(saved(dir, weights));
  CHECK(back.config == weights.config);
  CHECK(back.encoder_version == nn::kEncoderVersion);
  REQUIRE(back.tensors.size() == weights.tensors.size());
  for (std::size_t i = 0; i < weights.tensors.size(); ++i) {
    INFO(weights.tensors[i].name);
    CHECK(back.tensors[i].name == weights.tensors[i].name);
    CHECK(back.tensors[i].shape == weights.tensors[i].shape);
    CHECK(back.tensors[i].values == weights.tensors[i].values);
  }
}

TEST_CASE("A network of another encoder is refused as a mismatch") {
  const tests::TempDir dir;
  NetworkWeights weights = lively_weights(kSmall, 1);
  weights.encoder_version = nn::kEncoderVersion + 1;
  const auto path = saved(dir, weights);
  const std::string error = error_of(ErrorKind::kMismatch, [&] { loaded(path); });
  CHECK(contains(error, "encoder version"));
  CHECK(contains(error, path.string()));
}

TEST_CASE("Misshapen, missing and non-finite tensors are refused with file and name") {
  const tests::TempDir dir;
  NetworkWeights weights = lively_weights(kSmall, 1);
  std::string expected;
  SECTION("misshapen") {
    weights.tensors[0].values.resize(8);
    weights.tensors[0].shape = {2, 4};
    expected = "expected shape " + std::to_string(nn::kFeatures) + "x4, found 2x4";
  }
  SECTION("of the first encoder, with today's rows") {
    weights.encoder_version = nn::kFirstEncoderVersion;
    expected = "expected shape 572x4, found " + std::to_string(nn::kFeatures) + "x4";
  }
  SECTION("of today's encoder, with the first one's rows") {
    weights.tensors[0].values.resize(std::size_t{4} * 572);
    weights.tensors[0].shape = {572, 4};
    expected = "expected shape " + std::to_string(nn::kFeatures) + "x4, found 572x4";
  }
  SECTION("missing") {
    weights.tensors.erase(weights.tensors.begin());
    expected = "input.weight";
  }
  SECTION("NaN") {
    weights.tensors[0].values[5] = std::numeric_limits<float>::quiet_NaN();
    expected = "finite";
  }
  SECTION("infinite") {
    weights.tensors[0].values[5] = std::numeric_limits<float>::infinity();
    expected = "finite";
  }
  SECTION("impossible size") {
    weights.config.blocks = -3;
    expected = "blocks";
  }
  const auto path = saved(dir, weights);
  const std::string error = error_of(ErrorKind::kFile, [&] { loaded(path); });
  INFO(error);
  CHECK(contains(error, path.string()));
  CHECK(contains(error, expected));
}

TEST_CASE("A network without auxiliary heads comes back without them") {
  const tests::TempDir dir;
  const NetworkWeights weights = lively_weights({1, 4, false}, 1);
  const NetworkWeights back = loaded(saved(dir, weights));
  CHECK_FALSE(back.config.auxiliary);
  CHECK(back.tensors.back().name == "heads.bias");
  CHECK(nn::tensor_shapes({1, 4}).back().name == "auxiliary.bias");
}

TEST_CASE("Files of before the auxiliary heads give a network without them") {
  const std::filesystem::path path =
      AWALE_SOURCE_DIR "/tests/golden/checkpoint_without_auxiliary.h5";
  const NetworkWeights weights = loaded(path);
  CHECK(weights.config == nn::NetworkConfig{1, 3, false});
  CHECK(weights.at("heads.weight").shape == std::vector<std::size_t>{nn::kHeadColumns, 3});
}

// The features of an older encoder were today's without the blocks that have come since.
void check_older_network(const std::string& file_name, std::int64_t version,
                         const std::set<std::string>& newer_blocks) {
  const std::filesystem::path path = AWALE_SOURCE_DIR "/tests/golden/" + file_name;
  const nn::Hdf5Reader file(path);
  REQUIRE(file.int_attribute("network", "encoder_version") == version);
  const auto old_rows = file.dataset<float>("network/input.weight").values;
  const NetworkWeights weights = loaded(path);
  CHECK(weights.encoder_version == nn::kEncoderVersion);
  const auto& rows = weights.at("input.weight").values;
  REQUIRE(rows.size() == 3 * nn::kFeatures);
  auto old = old_rows.begin();
  for (const nn::FeatureBlock& block : nn::feature_blocks()) {
    INFO(block.name);
    const bool newer = newer_blocks.contains(std::string(block.name.substr(0, 5)));
    for (int i = 3 * block.first; i < 3 * (block.first + block.size); ++i)
      REQUIRE(rows[i] == (newer ? 0.0F : *old++));
  }
  CHECK(old == old_rows.end());
}

TEST_CASE("A network of an older encoder is one of today's that ignores the newer blocks") {
  check_older_network("checkpoint_without_auxiliary.h5", 1, {"reply", "gain."});
  check_older_network("network_encoder2.weights", 2, {"gain."});
}

TEST_CASE("Auxiliary heads of another size are refused as a mismatch") {
  const tests::TempDir dir;
  nn::Hdf5Writer writer;
  for (const char* name : {"blocks", "width", "encoder_version"})
    writer.attribute("network", name, std::int64_t{1});
  writer.attribute("network", "auxiliary_columns", std::int64_t{5});
  writer.write(dir / "network.h5");
  CHECK(contains(error_of(ErrorKind::kMismatch, [&] { loaded(dir / "network.h5"); }),
                 "expected 98 auxiliary columns or none, found 5"));
}

TEST_CASE("Auxiliary heads become a distribution, its quartiles and plies") {
  std::array<float, nn::kAuxiliaryColumns> outputs = {};
  outputs.fill(-1000);
  outputs[nn::kLargestMargin - 48] = std::log(1.0F);
  outputs[nn::kLargestMargin + 3] = std::log(2.0F);
  outputs[nn::kLargestMargin + 48] = std::log(5.0F);
  outputs[nn::kPliesColumn] = 0.5F;
  const auto evaluation = nn::auxiliary_of(outputs);
  CHECK(evaluation.margin_distribution[0] == Approx(1.0 / 8));
  CHECK(evaluation.margin_distribution[51] == Approx(2.0 / 8));
  CHECK(evaluation.plies_left == Approx(32));
  CHECK(nn::margin_quantile(evaluation, 0.1) == -48);
  CHECK(nn::margin_quantile(evaluation, 0.25) == 3);
  CHECK(nn::margin_quantile(evaluation, 0.5) == 48);
  CHECK(nn::margin_quantile(evaluation, 1.5) == 48);
  outputs[nn::kPliesColumn] = -1;
  CHECK(nn::auxiliary_of(outputs).plies_left == 0);
}

TEST_CASE("A network's size is checked") {
  CHECK_NOTHROW(nn::NetworkConfig{1, 1}.validate());
  CHECK(contains(error_of(ErrorKind::kUsage,
                          [] {
                            nn::NetworkConfig{0, 8}.validate();
                          }),
                 "network.blocks: expected 1..64, found 0"));
  CHECK(contains(error_of(ErrorKind::kUsage,
                          [] {
                            nn::NetworkConfig{1, 9000}.validate();
                          }),
                 "network.width"));
}

TEST_CASE("Initial weights depend on the seed alone and leave a network undecided") {
  const NetworkWeights weights = nn::initial_weights({2, 16}, 7);
  CHECK(weights.at("input.weight").values == nn::initial_weights({2, 16}, 7).tensors[0].values);
  CHECK(weights.at("input.weight").values != nn::initial_weights({2, 16}, 8).tensors[0].values);
  CHECK(weights.at("blocks.0.linear1.weight").values !=
        weights.at("blocks.1.linear1.weight").values);
  for (const nn::NamedTensor& tensor : weights.tensors) {
    if (tensor.shape.size() != 1) continue;
    INFO(tensor.name);
    CHECK(std::all_of(tensor.values.begin(), tensor.values.end(),
                      [](float value) { return value == 0; }));
  }
}

TEST_CASE("Initial weights have the variance of He et al.") {
  const NetworkWeights weights = nn::initial_weights({2, 64}, 7);
  const auto variance = [&](const std::string& name) {
    double sum = 0;
    for (const float value : weights.at(name).values)
      sum += double{value} * value;
    return sum / static_cast<double>(weights.at(name).values.size());
  };
  CHECK(variance("input.weight") == Approx(2.0 / nn::kActiveFeatures).epsilon(0.05));
  CHECK(variance("blocks.1.linear1.weight") == Approx(2.0 / 64).epsilon(0.05));
  CHECK(variance("blocks.1.linear2.weight") == Approx(2.0 / 64 / 2).epsilon(0.05));
}

TEST_CASE("Heads become logits, the softmax of the outcomes and a margin in seeds") {
  const std::array<float, nn::kHeadColumns> heads = {
      1, 2, 3, 4, 5, 6, std::log(1.0F), std::log(2.0F), std::log(5.0F), -0.5F};
  const nn::Evaluation evaluation = nn::evaluation_of(heads);
  CHECK(evaluation.policy_logits == std::array<float, 6>{1, 2, 3, 4, 5, 6});
  CHECK(evaluation.win_draw_loss[0] == Approx(1.0 / 8));
  CHECK(evaluation.win_draw_loss[1] == Approx(2.0 / 8));
  CHECK(evaluation.win_draw_loss[2] == Approx(5.0 / 8));
  CHECK(evaluation.margin_seeds == Approx(-12));
}

TEST_CASE("Outcome logits too large for exp still give probabilities") {
  std::array<float, nn::kHeadColumns> heads = {};
  heads[nn::kWdlColumn] = 500;
  CHECK(nn::evaluation_of(heads).win_draw_loss == std::array<float, 3>{1, 0, 0});
}

TEST_CASE("The difference of two evaluations is relative above 1, and NaN differs from all") {
  nn::Evaluation left;
  nn::Evaluation right;
  right.win_draw_loss[2] = 0.25F;
  CHECK(nn::max_difference(left, right) == Approx(0.25));
  left.margin_seeds = 12;
  CHECK(nn::max_difference(left, right) == Approx(0.5));
  left.policy_logits[1] = 20;
  right.policy_logits[1] = 5;
  CHECK(nn::max_difference(left, right) == Approx(0.75));
  right.policy_logits[0] = std::numeric_limits<float>::quiet_NaN();
  CHECK(std::isinf(nn::max_difference(left, right)));
}

}  // namespace
}  // namespace awale::test
