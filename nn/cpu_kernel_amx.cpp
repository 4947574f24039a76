// The kernel for AMX-BF16; compiled for it whatever the rest is compiled for.
//
// One instruction multiplies 16 rows x 32 inputs with 32 inputs x 16 columns. Activations lie in
// cells of 16 rows x 32 columns, [rows / 16][strips][16][32], so that a cell is one tile of inputs;
// the residual stream's cells are two tiles of sums, [rows / 16][strips][2][16][16]. Two cells of
// sums stay in the tile registers while all inputs pass by. They are stored, and what remains to be
// done with them on the vector units is done, while the tiles of the next two cells are multiplied.
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
constexpr int kTileNumbers = 16 * 16;            // floats in a tile of sums
constexpr int kCellNumbers = 16 * kCellColumns;  // in a cell of activations or sums
constexpr int kTileBytes = 64;                   // in a row of a tile
constexpr int kTileWeights = 32 * 16;            // that one instruction multiplies with
// Measured at 2x128 and 2x256: a layer's inputs and a strip of weights stay near the first cache.
constexpr int kPieceRows = 128;

// GCC does not know that tiles are loaded from memory, nor that a configuration is 64 bytes: what
// has been computed for either must be written before this.
[[gnu::always_inline]] inline void write_memory(const void* also_local = nullptr) {
  asm volatile("" ::"r"(also_local) : "memory");
}

// The operand of LDTILECFG: tiles 0 to 3 hold sums, 4 and 5 inputs, 6 and 7 weights. Fewer than 16
// rows of the first two kinds are faster.
struct alignas(64) TileConfig {
  std::uint8_t palette = 1;
  std::uint8_t start_row = 0;
  std::uint8_t reserved[14] = {};
  std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(TileConfig) == 64);

// Tiles are configured only while one of these lives: other code of the thread has its own ideas.
struct ConfiguredTiles {
  // For pieces of `rows` rows.
  explicit ConfiguredTiles(int rows) {
    TileConfig config;
    for (int tile = 0; tile < 6 && rows < kTileRows; ++tile)
      config.rows[tile] = static_cast<std::uint8_t>(rows);
    write_memory(&config);
    _tile_loadconfig(&config);
  }
  ConfiguredTiles(const ConfiguredTiles&) = delete;
  ~ConfiguredTiles() { _tile_release(); }
};

struct FirstLayer {
  using TableSum = TableRow;
  static constexpr int kTableStrips = 4;

  // The residual stream comes with the bias of the layer that it will be added to.
  static void store_table_sum(const TableSum& sum, const PackedNetwork& network,
                              const CpuScratch& scratch, int row, int strip) {
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
  const Bits* weights;     // [strips][2][inputs / 2][16][2]
  const float* bias;       // [strips][32]; already in the residual stream where there is one
  const Bits* in;          // cells
  Bits* out;               // cells
  float* residual;         // cells; nullptr in the first layer of a block
  const float* next_bias;  // of the next layer that adds to the residual stream; nullptr: none
  int strips;

  long cell(int group, int strip) const { return (long{group} * strips + strip) * kCellNumbers; }
};

// A cell whose sums are complete.
struct Sums {
  float* sums;             // two tiles
  Bits* out;               // the cell of activations that they become
  const float* next_bias;  // [32], see Layer

  static constexpr int kTogether = 4;

  // kTogether rows from `row`.
  [[gnu::always_inline]] void finish(int row) const {
    float* low = sums + row * 16;
    float* high = low + kTileNumbers;
    Bits* to = out + row * kCellColumns;
    if (next_bias == nullptr) {
#pragma GCC unroll 4
      for (int r = 0; r < kTogether; ++r)
        store_bfloat16(relu16(load16(low + r * 16)), relu16(load16(high + r * 16)),
                       to + r * kCellColumns);
      return;
    }
    const Floats16 low_bias = load16(next_bias);
    const Floats16 high_bias = load16(next_bias + 16);
#pragma GCC unroll 4
    for (int r = 0; r < kTogether; ++r) {
      const Floats16 low_sum = relu16(load16(low + r * 16));
      const Floats16 high_sum = relu16(load16(high + r * 16));
      store_bfloat16(low_sum, high_sum, to + r * kCellColumns);
      store16(low_sum + low_bias, low + r * 16);
      store16(high_sum + high_bias, high + r * 16);
    }
  }
};

// Up to two cells whose sums are complete but still in the tile registers: tiles 0 and 1 are the
// halves of the first, 2 and 3 of the second.
struct Pending {
  Sums cell[2];
  int cells = 0;
  int parts = 0;  // of all cells, kTogether rows each

  // When they have been stored; of the cells in turn.
  [[gnu::always_inline]] void finish(int first, int last) const {
    const int second = cells - 1;  // a bit
    for (int part = first; part < last; ++part)
      cell[part & second].finish((part >> second) * Sums::kTogether);
  }
};

// The number of a tile must be a literal.
#define AWALE_STORE_TILE(tile, pending)                                                \
  do {                                                                                 \
    if ((tile) / 2 < (pending).cells) {                                                \
      float* const sums = (pending).cell[(tile) / 2].sums + (tile) % 2 * kTileNumbers; \
      _tile_stored(tile, sums, kTileBytes);                                            \
    }                                                                                  \
  } while (false)

// The last cells, which are stored and finished while the next are multiplied.
struct Pipeline {
  Pending pending;
  alignas(64) float buffer[2 * kCellNumbers] = {};

  void flush() {
    AWALE_STORE_TILE(0, pending);
    AWALE_STORE_TILE(1, pending);
    AWALE_STORE_TILE(2, pending);
    AWALE_STORE_TILE(3, pending);
    pending.finish(0, pending.parts);
    pending = Pending{};
  }
};

// Where the sums of half a cell begin: with the residual stream, or with the bias in each row.
struct Start {
  const float* floats;
  long row_bytes;
};

inline Start start_of(const Layer& layer, const Sums& cell, int strip, int half) {
  if (layer.residual != nullptr) return {cell.sums + half * kTileNumbers, kTileBytes};
  return {layer.bias + strip * kCellColumns + half * 16, 0};
}

// Stores a tile of the last cells and starts that of the next in its place.
#define AWALE_CHANGE_TILE(tile)                                                           \
  do {                                                                                    \
    AWALE_STORE_TILE(tile, last);                                                         \
    const Start start =                                                                   \
        start_of(layer, next.cell[(tile) / 2], strip + (tile) / 2 % kStrips, (tile) % 2); \
    _tile_loadd(tile, start.floats, start.row_bytes);                                     \
  } while (false)

// The cells of kGroups groups of rows and kStrips strips, one or two in all; of the last group only
// the first `rows` rows matter.
template <int kGroups, int kStrips>
[[gnu::noinline]] void compute_cells(const Layer& layer, int group, int strip, int rows,
                                     Pipeline& pipeline) {
  constexpr int kCells = kGroups * kStrips;
  static_assert(kCells <= 2);
  write_memory();
  const Pending last = pipeline.pending;
  Pending next;
  next.cells = kCells;
  const int rows_of_cell = kGroups == 2 ? kTileRows : rows;
  next.parts = kCells * ((rows_of_cell + Sums::kTogether - 1) / Sums::kTogether);
  for (int i = 0; i < kCells; ++i) {
    const int cell_strip = strip + i % kStrips;
    const long cell = layer.cell(group + i / kStrips, cell_strip);
    next.cell[i] = {
        layer.residual != nullptr ? layer.residual + cell : pipeline.buffer + i * kCellNumbers,
        layer.out + cell,
        layer.next_bias != nullptr ? layer.next_bias + cell_strip * kCellColumns : nullptr};
  }
  const int steps = layer.strips;
  const long group_numbers = long{steps} * kCellNumbers;
  const long half_weights = long{steps} * kTileWeights;  // of half a strip
  const Bits* in = layer.in + group * group_numbers;
  const Bits* weights = layer.weights + strip * 2 * half_weights;
  // Four stores at once would stop the products; one between two of them does not.
  const auto multiply = [&]<bool kFirst>() {
    _tile_loadd(4, in, kTileBytes);
    _tile_loadd(6, weights, kTileBytes);
    if constexpr (kFirst) AWALE_CHANGE_TILE(0);
    _tile_dpbf16ps(0, 4, 6);
    _tile_loadd(7, weights + half_weights, kTileBytes);
    if constexpr (kFirst) AWALE_CHANGE_TILE(1);
    _tile_dpbf16ps(1, 4, 7);
    if constexpr (kGroups == 2) {
      _tile_loadd(5, in + group_numbers, kTileBytes);
      if constexpr (kFirst) AWALE_CHANGE_TILE(2);
      _tile_dpbf16ps(2, 5, 6);
      if constexpr (kFirst) AWALE_CHANGE_TILE(3);
      _tile_dpbf16ps(3, 5, 7);
    } else if constexpr (kStrips == 2) {
      _tile_loadd(6, weights + 2 * half_weights, kTileBytes);
      if constexpr (kFirst) AWALE_CHANGE_TILE(2);
      _tile_dpbf16ps(2, 4, 6);
      _tile_loadd(7, weights + 3 * half_weights, kTileBytes);
      if constexpr (kFirst) AWALE_CHANGE_TILE(3);
      _tile_dpbf16ps(3, 4, 7);
    } else if constexpr (kFirst) {
      AWALE_STORE_TILE(2, last);
      AWALE_STORE_TILE(3, last);
    }
    in += kCellNumbers;
    weights += kTileWeights;
  };
  multiply.template operator()<true>();
  const int meanwhile = (last.parts + steps - 1) / steps;
  int finished = 0;
  for (int step = 1; step < steps; ++step) {
    multiply.template operator()<false>();
    const int until = finished + meanwhile < last.parts ? finished + meanwhile : last.parts;
    last.finish(finished, until);
    finished = until;
  }
  last.finish(finished, last.parts);
  pipeline.pending = next;
}

int group_count(int rows) {
  return (rows + kTileRows - 1) / kTileRows;
}

void compute_layer(const Layer& layer, int rows, Pipeline& pipeline) {
  const int groups = group_count(rows);
  const int last_rows = rows - (groups - 1) * kTileRows;
  // The first cells need the last layer's first two groups; others may still be in work.
  if (groups <= 2) pipeline.flush();
  for (int strip = 0; strip < layer.strips; ++strip) {
    for (int group = 0; group + 2 <= groups; group += 2)
      compute_cells<2, 1>(layer, group, strip, last_rows, pipeline);
  }
  if (groups % 2 != 0) {
    int strip = 0;
    for (; strip + 2 <= layer.strips; strip += 2)
      compute_cells<1, 2>(layer, groups - 1, strip, last_rows, pipeline);
    if (strip < layer.strips) compute_cells<1, 1>(layer, groups - 1, strip, last_rows, pipeline);
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

void compute_all_layers(const PackedNetwork& network, int rows, const CpuScratch& scratch) {
  Pipeline pipeline;
  for (int index = 0; index < 2 * network.blocks; ++index)
    compute_layer(make_layer(network, index, scratch), rows, pipeline);
  pipeline.flush();
}

// The heads of a group of rows.
void compute_heads(const PackedNetwork& network, int group, const CpuScratch& scratch,
                   float* heads) {
  const auto* in =
      static_cast<const Bits*>(scratch.input) + long{group} * network.strips * kCellNumbers;
  const auto* weights = static_cast<const Bits*>(network.heads.weights);
  write_memory();
  _tile_loadd(0, network.heads.bias, 0);
  for (int step = 0; step < network.strips; ++step) {
    _tile_loadd(4, in + step * kCellNumbers, kTileBytes);
    _tile_loadd(6, weights + step * kTileWeights, kTileBytes);
    _tile_dpbf16ps(0, 4, 6);
  }
  _tile_stored(0, heads, kTileBytes);
}

void compute_blocks(const PackedNetwork& network, int rows, const CpuScratch& scratch) {
  const ConfiguredTiles tiles(rows);
  compute_all_layers(network, rows, scratch);
}

void evaluate(const PackedNetwork& network, const void* base, const FeatureValues* features,
              int rows, const CpuScratch& scratch, float* evaluations) {
  compute_first_layer<FirstLayer>(network, base, features, rows, scratch);
  const ConfiguredTiles tiles(rows);
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
                                 .tile_columns = 16,
                                 .input_multiple = kCellColumns,
                                 .row_multiple = kTileRows,
                                 .piece_rows = kPieceRows,
                                 .evaluate = evaluate,
                                 .compute_blocks = compute_blocks};

}  // namespace awale::nn
