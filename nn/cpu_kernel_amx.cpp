// The kernel for AMX-BF16; compiled for it whatever the rest is compiled for.
//
// One instruction multiplies 16 rows x 32 inputs with 32 inputs x 16 columns. Activations lie in
// cells of 16 rows x 32 columns, [rows / 16][strips][16][32], so that a cell is one tile of inputs;
// the residual stream's cells are two tiles of sums, [rows / 16][strips][2][16][16]. Two cells of
// sums stay in the tile registers while all inputs pass by. What remains to be done with them, on
// the vector units, is done while the tiles of the next two cells are multiplied.
//
// Each sum runs over the inputs in one order (32 at a time, even and odd ones apart), and a row of
// a tile does not see the others: padding rows change nothing.
#include "nn/cpu_bfloat16.hpp"
#include "nn/cpu_softmax.hpp"
#include "nn/cpu_table.hpp"

namespace awale::nn {
namespace {

using Bits = std::uint16_t;  // of a bfloat16

constexpr int kTileRows = 16;
constexpr int kCellColumns = 32;
constexpr int kTileNumbers = 16 * 16;                  // floats in a tile of sums
constexpr int kCellNumbers = 16 * kCellColumns;        // in a cell of activations or sums
constexpr int kTileBytes = 64;                         // in a row of a tile
constexpr int kWeightsOfTile = 16 * 2 * kCellColumns;  // of a strip, for one tile of inputs
constexpr int kPieceRows = 64;

// The operand of LDTILECFG: all eight tiles are 16 rows of 64 bytes.
struct alignas(64) TileConfig {
  std::uint8_t palette = 1;
  std::uint8_t start_row = 0;
  std::uint8_t reserved[14] = {};
  std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
constexpr TileConfig kTileConfig;
static_assert(sizeof(TileConfig) == 64);

// Tiles are configured only while one of these lives: other code of the thread has its own ideas.
struct ConfiguredTiles {
  ConfiguredTiles() { _tile_loadconfig(&kTileConfig); }
  ConfiguredTiles(const ConfiguredTiles&) = delete;
  ~ConfiguredTiles() { _tile_release(); }
};

struct FirstLayer {
  using TableSum = TableRow;
  static constexpr int kTableStrips = 4;

  // The residual stream comes with the bias of the layer that it will be added to.
  static void store_table_sum(TableSum sum, const PackedNetwork& network, const CpuScratch& scratch,
                              int row, int strip) {
    const int column = strip * kCellColumns;
    const float* bias = network.layers[1].bias + column;
    const long cell = (row / kTileRows * network.strips + strip) * long{kCellNumbers};
    const int in_cell = row % kTileRows;
    Floats16 halves[2];
    table_floats(sum, network.table_unit + column, halves);
    const Floats16 low = relu16(halves[0]);
    const Floats16 high = relu16(halves[1]);
    float* residual = scratch.residual + cell + in_cell * 16;
    store16(low + load16(bias), residual);
    store16(high + load16(bias + 16), residual + kTileNumbers);
    store_bfloat16(low, high, static_cast<Bits*>(scratch.input) + cell + in_cell * kCellColumns);
  }
};

struct Layer {
  const Bits* weights;     // [strips][inputs / 2][32][2]
  const float* bias;       // [strips][32]; already in the residual stream where there is one
  const Bits* in;          // cells
  Bits* out;               // cells
  float* residual;         // cells; nullptr in the first layer of a block
  const float* next_bias;  // of the next layer that adds to the residual stream; nullptr: none
  int strips;

  long cell(int group, int strip) const { return (long{group} * strips + strip) * kCellNumbers; }
};

// Cells whose sums are complete.
struct Sums {
  const Layer* layer = nullptr;
  float* sums[2] = {};  // a cell each: two tiles
  long cell[2] = {};    // where they belong
  int column[2] = {};
  int rows = 0;      // 16 a cell
  int finished = 0;  // rows

  // The next `count` rows, if so many are left.
  [[gnu::always_inline]] void finish(int count) {
    const int end = finished + count < rows ? finished + count : rows;
    for (; finished < end; ++finished)
      finish_row(finished / kTileRows, finished % kTileRows);
  }

  [[gnu::always_inline]] void finish_row(int i, int row) const {
    float* low = sums[i] + row * 16;
    float* high = low + kTileNumbers;
    Bits* out = layer->out + cell[i] + row * kCellColumns;
    const Floats16 low_sum = relu16(load16(low));
    const Floats16 high_sum = relu16(load16(high));
    store_bfloat16(low_sum, high_sum, out);
    if (layer->next_bias != nullptr) {
      store16(low_sum + load16(layer->next_bias + column[i]), low);
      store16(high_sum + load16(layer->next_bias + column[i] + 16), high);
    }
  }
};

// Sums of the last two cells, and of the two before that are finished meanwhile.
struct Pipeline {
  Sums pending;
  alignas(64) float buffers[2][2 * kCellNumbers];
  int turn = 0;

  void flush() { pending.finish(pending.rows); }
};

// Where the sums of half a cell begin: with the residual stream, or with the bias in each row.
struct Start {
  const float* floats;
  long row_bytes;
};

inline Start start_of(const Layer& layer, long cell, int column, int half) {
  if (layer.residual != nullptr) return {layer.residual + cell + half * kTileNumbers, kTileBytes};
  return {layer.bias + column + half * 16, 0};
}

// The number of a tile must be a literal.
#define AWALE_START_TILE(tile)                                                       \
  do {                                                                               \
    const Start start =                                                              \
        start_of(layer, next.cell[(tile) / 2], next.column[(tile) / 2], (tile) % 2); \
    _tile_loadd(tile, start.floats, start.row_bytes);                                \
  } while (false)

// The cells of kGroups groups of rows and kStrips strips, one or two in all.
template <int kGroups, int kStrips>
void compute_cells(const Layer& layer, int group, int strip, Pipeline& pipeline) {
  constexpr int kCells = kGroups * kStrips;
  static_assert(kCells <= 2);
  constexpr long kWeightStride = 2 * kTileBytes;
  Sums next;
  next.layer = &layer;
  next.rows = kCells * kTileRows;
  for (int i = 0; i < kCells; ++i) {
    const int to_strip = strip + i % kStrips;
    next.cell[i] = layer.cell(group + i / kStrips, to_strip);
    next.column[i] = to_strip * kCellColumns;
    next.sums[i] = layer.residual != nullptr ? layer.residual + next.cell[i]
                                             : pipeline.buffers[pipeline.turn] + i * kCellNumbers;
  }
  pipeline.turn ^= 1;
  AWALE_START_TILE(0);
  AWALE_START_TILE(1);
  if constexpr (kCells == 2) {
    AWALE_START_TILE(2);
    AWALE_START_TILE(3);
  }
  const int meanwhile = (pipeline.pending.rows + layer.strips - 1) / layer.strips;
  const long strip_weights = long{layer.strips} * kWeightsOfTile;
  const Bits* in = layer.in + layer.cell(group, 0);
  const Bits* weights = layer.weights + strip * strip_weights;
  for (int step = 0; step < layer.strips; ++step) {
    _tile_loadd(4, in, kTileBytes);
    _tile_loadd(6, weights, kWeightStride);
    _tile_dpbf16ps(0, 4, 6);
    _tile_loadd(7, weights + kTileBytes / 2, kWeightStride);
    _tile_dpbf16ps(1, 4, 7);
    if constexpr (kGroups == 2) {
      _tile_loadd(5, in + long{layer.strips} * kCellNumbers, kTileBytes);
      _tile_dpbf16ps(2, 5, 6);
      _tile_dpbf16ps(3, 5, 7);
    } else if constexpr (kStrips == 2) {
      _tile_loadd(6, weights + strip_weights, kWeightStride);
      _tile_dpbf16ps(2, 4, 6);
      _tile_loadd(7, weights + strip_weights + kTileBytes / 2, kWeightStride);
      _tile_dpbf16ps(3, 4, 7);
    }
    pipeline.pending.finish(meanwhile);
    in += kCellNumbers;
    weights += kWeightsOfTile;
  }
  _tile_stored(0, next.sums[0], kTileBytes);
  _tile_stored(1, next.sums[0] + kTileNumbers, kTileBytes);
  if constexpr (kCells == 2) {
    _tile_stored(2, next.sums[1], kTileBytes);
    _tile_stored(3, next.sums[1] + kTileNumbers, kTileBytes);
  }
  pipeline.pending = next;
}

void compute_layer(const Layer& layer, int groups, Pipeline& pipeline) {
  // The first cells need the last layer's first two groups; others may still be in work.
  if (groups <= 2) pipeline.flush();
  for (int strip = 0; strip < layer.strips; ++strip) {
    for (int group = 0; group + 2 <= groups; group += 2)
      compute_cells<2, 1>(layer, group, strip, pipeline);
  }
  if (groups % 2 != 0) {
    int strip = 0;
    for (; strip + 2 <= layer.strips; strip += 2)
      compute_cells<1, 2>(layer, groups - 1, strip, pipeline);
    if (strip < layer.strips) compute_cells<1, 1>(layer, groups - 1, strip, pipeline);
  }
}

Layer make_layer(const PackedNetwork& network, int index, const CpuScratch& scratch) {
  const PackedLinear& linear = network.layers[index];
  const auto* weights = static_cast<const Bits*>(linear.weights);
  auto* input = static_cast<Bits*>(scratch.input);
  auto* hidden = static_cast<Bits*>(scratch.hidden);
  if (index % 2 == 0)
    return {weights, linear.bias, input, hidden, nullptr, nullptr, network.strips};
  const bool last = index + 1 == 2 * network.blocks;
  return {weights,       linear.bias,      hidden,
          input,         scratch.residual, last ? nullptr : network.layers[index + 2].bias,
          network.strips};
}

int group_count(int rows) {
  return (rows + kTileRows - 1) / kTileRows;
}

void compute_all_layers(const PackedNetwork& network, int rows, const CpuScratch& scratch) {
  Pipeline pipeline;
  Layer layers[2];  // the one in work and the one before
  for (int index = 0; index < 2 * network.blocks; ++index) {
    Layer& layer = layers[index % 2];
    layer = make_layer(network, index, scratch);
    compute_layer(layer, group_count(rows), pipeline);
  }
  pipeline.flush();
}

// The heads of a group of rows.
void compute_heads(const PackedNetwork& network, int group, const CpuScratch& scratch,
                   float* heads) {
  const auto* in =
      static_cast<const Bits*>(scratch.input) + long{group} * network.strips * kCellNumbers;
  const auto* weights = static_cast<const Bits*>(network.heads.weights);
  _tile_loadd(0, network.heads.bias, 0);
  for (int step = 0; step < network.strips; ++step) {
    _tile_loadd(4, in + step * kCellNumbers, kTileBytes);
    _tile_loadd(6, weights + step * kCellNumbers, kTileBytes);
    _tile_dpbf16ps(0, 4, 6);
  }
  _tile_stored(0, heads, kTileBytes);
}

void compute_blocks(const PackedNetwork& network, int rows, const CpuScratch& scratch) {
  const ConfiguredTiles tiles;
  compute_all_layers(network, rows, scratch);
}

void evaluate(const PackedNetwork& network, const void* base, const FeatureValues* features,
              int rows, const CpuScratch& scratch, float* evaluations) {
  compute_first_layer<FirstLayer>(network, base, features, rows, scratch);
  const ConfiguredTiles tiles;
  compute_all_layers(network, rows, scratch);
  for (int group = 0; group < group_count(rows); ++group) {
    alignas(64) float heads[kTileRows * kPaddedHeads];
    compute_heads(network, group, scratch, heads);
    const int row = group * kTileRows;
    finish_evaluations(heads, rows - row < kTileRows ? rows - row : kTileRows,
                       evaluations + row * kHeadColumns);
  }
}

}  // namespace

extern const CpuKernel kAmxCpuKernel;
const CpuKernel kAmxCpuKernel = {.name = "amx-bf16",
                                 .precision = CpuPrecision::kBfloat16,
                                 .strip_columns = kCellColumns,
                                 .step = 2,
                                 .input_multiple = kCellColumns,
                                 .row_multiple = kTileRows,
                                 .piece_rows = kPieceRows,
                                 .evaluate = evaluate,
                                 .compute_blocks = compute_blocks};

}  // namespace awale::nn
