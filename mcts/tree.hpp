// The search tree of one game: an array of nodes of fixed capacity that refer to each other by
// index.
//
// Holds statistics and knows how they are updated; which edge to follow is `puct`'s business, what
// a move leads to `simulation`'s. A node is 128 bytes, so a tree of S simulations takes 128 * (S +
// 1) bytes: 12.6 KiB at S = 100. Nothing is allocated after construction, nothing recurses. No
// thread safety.
#pragma once

#include <array>
#include <cstdint>
#include <iosfwd>
#include <span>
#include <vector>

#include "env/game.hpp"

namespace awale::mcts {

using NodeIndex = std::uint16_t;
inline constexpr NodeIndex kRoot = 0;
inline constexpr NodeIndex kNoChild = 0;  // the root is nobody's child
inline constexpr int kMostNodes = 65535;  // the last index marks nodes that are forgotten

// A position and its six edges. Everything an edge holds is seen from the player who moves at the
// node, so a value changes its sign on the way to the parent. Edges of illegal moves stay 0.
struct alignas(128) Node {  // two cache lines that the hardware fetches as a pair
  std::array<float, env::kMoves> priors = {};  // sum 1 over the legal moves
  std::array<float, env::kMoves> value_sums =
      {};  // of the utilities that came back, each in [-1,1]
  env::Board board;
  std::array<std::uint16_t, env::kMoves> visits = {};
  std::array<NodeIndex, env::kMoves> children = {};
  // What is certain about the final margin behind a move, in seeds of the mover.
  std::array<std::int8_t, env::kMoves> lower_seeds = {};
  std::array<std::int8_t, env::kMoves> upper_seeds = {};
  std::array<std::uint8_t, env::kMoves> pending = {};  // simulations on their way through a move
  std::int8_t final_margin_seeds = 0;                  // of the mover, where the node is settled
  std::uint8_t flags = 0;                              // NodeFlags
  float utility = 0;                                   // the network's own, of the mover
  float margin_sum_seeds = 0;      // of the mover, of all simulations that came through here
  std::uint16_t total_visits = 0;  // of the edges
  NodeIndex parent = kRoot;
  std::uint16_t quiet_plies = 0;  // moves since the last capture, also those before the root
  std::uint16_t depth = 0;        // plies below the root
  std::uint8_t repetitions = 0;   // earlier occurrences of the board since the last capture
  env::LegalMask legal = 0;       // 0: the game is over here, for whatever reason
  env::Move parent_move = 0;      // the edge of `parent` that leads here
  env::Move next = 0;             // the edge to follow from here, where the node is expanded

  bool terminal() const { return legal == 0; }
  // Whether the final margin under best play is known: nothing below can change it.
  bool settled() const { return terminal() || (flags & kSolved) != 0; }
  // An ending is settled from the beginning.
  void settle(int margin_seeds) {
    if (terminal()) return;
    flags |= kSolved;
    final_margin_seeds = static_cast<std::int8_t>(margin_seeds);
  }
  // Mean utility of the node, its own evaluation included.
  float mean_utility() const;

  enum NodeFlags : std::uint8_t {
    kExpanded = 1,  // has its evaluation
    kBounded = 2,   // an edge's bounds are better than what the stores say
    kSolved = 4,    // the bounds meet
    kLimited = 8,   // an endgame table limits the evaluation: lower_seeds[0] to upper_seeds[0],
                    // until the node is expanded
  };
};
static_assert(sizeof(Node) == 128);

class alignas(64) Tree {  // threads that work on trees side by side share no cache line
 public:
  // Room for `capacity` nodes, 1..kMostNodes.
  explicit Tree(int capacity);
  Tree(Tree&&) = default;
  Tree& operator=(Tree&&) = default;

  // Forgets all nodes and starts with `position`, which is not over and has the legal moves
  // `legal`. `history` are the positions since the last capture, `position` last; it must outlive
  // the search.
  void reset(const env::Position& position, std::span<const env::Board> history,
             env::LegalMask legal);

  // Memory of the nodes.
  std::size_t bytes() const {
    return nodes_.capacity() * sizeof(Node) + moved_to_.capacity() * sizeof(NodeIndex);
  }

  int size() const { return static_cast<int>(nodes_.size()); }
  const Node& operator[](NodeIndex index) const { return nodes_[index]; }
  Node& operator[](NodeIndex index) { return nodes_[index]; }
  const Node& root() const { return nodes_[kRoot]; }
  Node& root() { return nodes_[kRoot]; }

  // Makes `index` the root and forgets everything that is not below it, in place: the nodes keep
  // their order. `history` as for reset(), of the new root's position.
  void make_root(NodeIndex index, std::span<const env::Board> history);

  // Links a new node below the edge `move` of `parent`, which has no child yet, with the parent's
  // board; playing the move on it is the caller's part.
  NodeIndex add_child(NodeIndex parent, env::Move move);

  // The node as the evaluator sees it.
  env::Position position(const Node& node) const;
  int ply(const Node& node) const { return root_ply_ + node.depth; }

  // How often the board of `node` has occurred before since the last capture, on the path from the
  // root and in the game before it. Linear in node.quiet_plies. Only where the rules count
  // repetitions: elsewhere there is no history to look into.
  int earlier_occurrences(const Node& node) const;

  // Adds one simulation that ended in `leaf` to every edge on the way to it. `utility` and
  // `margin_seeds` are seen from the player to move at the leaf.
  void back_up(NodeIndex leaf, float utility, float margin_seeds);

  // The mean of what came back through the edge to `index`, which has visits; of the player to move
  // there.
  float mean(NodeIndex index) const;

  // Makes `value`, of the player to move at `index`, the mean of what came back through the edge to
  // it, which has visits.
  void set_mean(NodeIndex index, float value);

  // Adds `change` to the pending simulations of every edge on the way to `leaf`.
  void add_pending(NodeIndex leaf, int change);

  // Passes what is certain of a node's final margin to the bounds of the edges above it, as far as
  // that changes anything, and settles every node whose bounds meet.
  void pass_up_bounds(NodeIndex index, int lower_seeds, int upper_seeds);

  // Mean final margin of the simulations through an edge that has visits, within its bounds if
  // there are any.
  float mean_margin_seeds(const Node& node, env::Move move) const;

 private:
  std::vector<Node> nodes_;          // never grows beyond what the constructor reserved
  std::vector<NodeIndex> moved_to_;  // scratch of make_root(): [nodes]
  int root_ply_ = 0;
  std::span<const env::Board> history_;
};

// The bounds of the node's own final margin: the best of its legal edges'.
int lower_bound_seeds(const Node& node);
int upper_bound_seeds(const Node& node);

// Every node on a line of its own, in the order in which the search added them: the moves from the
// root, what the node is, and "move:prior/visits/value/margin" of its legal edges, only the prior
// of those without visits. For goldens and debugging.
std::ostream& operator<<(std::ostream& stream, const Tree& tree);

}  // namespace awale::mcts
