#include "training/analysis/analyst.hpp"

#include "env/error.hpp"

namespace awale::training {

Analyst::Analyst(const AnalystSetup& setup) : setup_(setup), evaluator_(setup.make_evaluator(1)) {}

std::vector<Analysis> Analyst::analyze(std::span<const AnalysisRequest> requests) {
  std::vector<Analysis> analyses;
  std::map<std::string, std::vector<std::size_t>> by_rules;
  for (const auto& request : requests) {
    by_rules[env::describe(request.game.rules())].push_back(analyses.size());
    Analysis& analysis = analyses.emplace_back(request.game);
    analysis.simulations = request.simulations;
    analysis.evaluator = evaluator_->name();
    analysis.has_network = setup_.weights != nullptr;
  }
  for (const auto& [rules, which] : by_rules)
    search(which, analyses);
  for (auto& analysis : analyses) {
    if (const auto* table = table_for(analysis.game.rules())) ask_table(*table, analysis);
    if (setup_.weights) ask_auxiliary_heads(*setup_.weights, analysis);
  }
  return analyses;
}

const env::EndgameTable* Analyst::table_for(const env::RuleSet& rules) const {
  const auto& table = setup_.search.endgame;
  return table && env::same_endgame(table->rules(), rules) ? table.get() : nullptr;
}

mcts::BatchedSearch& Analyst::search_for(const env::RuleSet& rules) {
  auto& search = searches_[env::describe(rules)];
  if (search == nullptr) {
    mcts::SearchConfig config = setup_.search;
    if (table_for(rules) == nullptr) config.endgame = nullptr;
    search = std::make_unique<mcts::BatchedSearch>(rules, config, 1);
  }
  return *search;
}

void Analyst::search(std::span<const std::size_t> which, std::vector<Analysis>& analyses) {
  std::vector<mcts::SearchRoot> roots;
  for (const std::size_t index : which) {
    const Analysis& analysis = analyses[index];
    mcts::SearchRoot root{analysis.game.position(), analysis.game.history()};
    root.simulations = analysis.simulations;
    roots.push_back(root);
  }
  std::vector<mcts::SearchResult> results(roots.size());
  mcts::BatchedSearch& search = search_for(analyses[which.front()].game.rules());
  search.run(roots, *evaluator_, results);
  for (std::size_t i = 0; i < which.size(); ++i) {
    Analysis& analysis = analyses[which[i]];
    analysis.result = results[i];
    analysis.line = env::line_text(
        analysis.game, search.principal_variation(static_cast<int>(i), kAnalysisLinePlies));
  }
}

}  // namespace awale::training
