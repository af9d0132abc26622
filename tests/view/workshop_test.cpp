// Sketches and cuts as a page makes them, without a page: what goes in, what comes out, and what is refused.
#include "pliant/edit/workshop.hpp"

#include "pliant/edit/congruent_parts.hpp"
#include "pliant/file/pulls_file.hpp"
#include "pliant/file/volume_file.hpp"
#include "view/scenes.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <map>

namespace pliant::view {
namespace {

using namespace std::chrono_literals;

/// A workshop with a mailbox.
class Bench {
 public:
  explicit Bench(const std::string& toml) : running(test::simulate(toml)) {
    scene = read_scene(toml, "test.toml").value();
    workshop = std::make_unique<Workshop>(scene, Workshop::Options{}, *running);
    workshop->open({[this](std::uint32_t, Bytes frame) {
                      auto message = decode_from_server(frame);
                      ASSERT_TRUE(message);
                      if (cancel_at_work) workshop->cancel();
                      const std::lock_guard lock(mutex_);
                      messages_.push_back(std::move(*message));
                      wake_.notify_all();
                    },
                    [this](Workshop::Offer made) {
                      const std::lock_guard lock(mutex_);
                      offered_ = std::move(made.scene);
                      succession = made.how;
                    },
                    [](const PageMessage&) {}});
  }
  ~Bench() { workshop->close(); }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  void post(PageMessage message) { ASSERT_TRUE(workshop->post(1, std::move(message))); }

  /// The next message of a kind; those before it are dropped.
  template <class Message>
  Message next() {
    return next_such<Message>([](const Message&) { return true; });
  }
  template <class Message, class Condition>
  Message next_such(const Condition& condition) {
    std::unique_lock lock(mutex_);
    for (;;) {
      while (!messages_.empty()) {
        const ServerMessage message = std::move(messages_.front());
        messages_.pop_front();
        if (const auto* wanted = std::get_if<Message>(&message); wanted != nullptr && condition(*wanted))
          return *wanted;
      }
      if (wake_.wait_for(lock, 60s) == std::cv_status::timeout) {
        ADD_FAILURE() << "no answer";
        return {};
      }
    }
  }
  Work finished() {
    return next_such<Work>([](const Work& work) { return work.running == 0 && !work.text.empty(); });
  }
  std::unique_ptr<Simulation> offer() {
    const std::lock_guard lock(mutex_);
    return std::move(offered_);
  }

  std::unique_ptr<Simulation> running;
  SceneDescription scene;
  std::unique_ptr<Workshop> workshop;
  std::atomic<bool> cancel_at_work{false};
  std::atomic<Simulation::Succession> succession{Simulation::Succession::kBodies};

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<ServerMessage> messages_;
  std::unique_ptr<Simulation> offered_;
};

std::uint32_t tip_of(const Simulation& simulation) {
  const std::vector<float>& rest = simulation.drawn(0).geometry().rest;
  std::size_t tip = 0;
  for (std::size_t i = 0; i < rest.size(); i += 3)
    if (rest[i] + rest[i + 1] + rest[i + 2] > rest[tip] + rest[tip + 1] + rest[tip + 2]) tip = i;
  return static_cast<std::uint32_t>(tip / 3);
}

TEST(Sketching, LinearAnswerIsACompliance) {
  Bench bench(test::beam_scene("modal"));
  bench.post(OpenSketch{0});
  EXPECT_EQ(bench.next<SketchStart>().modes, 10U);
  const std::uint32_t tip = tip_of(*bench.running);
  bench.post(SketchPoint{0, tip});
  const SketchShapes answer = bench.next<SketchShapes>();
  const std::vector<float>& rest = bench.running->drawn(0).geometry().rest;
  ASSERT_EQ(answer.shapes.size(), 3 * rest.size());
  Matrix3 here;
  for (Index k = 0; k < 3; ++k)
    for (Index c = 0; c < 3; ++c) here(c, k) = answer.shapes[to_size(9 * tip + 3 * k + c)];
  // a force does work on what it moves; held points stay
  EXPECT_GT((here + here.transpose()).eigenvalues().real().minCoeff(), 0.0);
  for (std::size_t i = 0; i < rest.size() / 3; ++i)
    for (std::size_t c = 0; c < 9 && rest[3 * i] == 0.0F; ++c) EXPECT_EQ(answer.shapes[9 * i + c], 0.0F);
}

TEST(Sketching, PullsBecomeTheBasisOfWhatRuns) {
  Bench bench(test::beam_scene("modal"));
  const std::uint32_t tip = tip_of(*bench.running);
  bench.post(OpenSketch{0});
  bench.post(ClearPulls{0});
  bench.post(AddPull{0, tip, {0.0F, 0.0F, 10.0F, 0.0F, 0.0F, 20.0F}});
  bench.post(AddPull{0, tip, {0.0F, 40.0F, 0.0F}});
  bench.post(WritePulls{0, 1});
  const File file = bench.next<File>();
  const auto pulls =
      read_pulls(file.content, file.name, bench.running->scene().elastic[0]->mesh().vertex_count());
  ASSERT_TRUE(pulls.ok());
  std::map<double, Vector3> totals;  // of the vertices around the point, at each time
  for (const Pull& pull : pulls.value())
    totals.try_emplace(pull.time, Vector3::Zero()).first->second += pull.force;
  ASSERT_EQ(totals.size(), 3U);
  EXPECT_LT((std::next(totals.begin())->second - Vector3(0, 0, 20)).norm(), 1e-9);
  EXPECT_LT((totals.rbegin()->second - Vector3(0, 40, 0)).norm(), 1e-9);
  bench.post(WritePulls{0, 0});  // no file was named
  EXPECT_EQ(bench.next<Notice>().severity, 1);

  for (int i = 0; i < 30; ++i) ASSERT_TRUE(bench.running->advance());
  bench.post(SolveSketch{0, 3, 0.01});
  EXPECT_EQ(bench.finished().failed, 0);
  const std::unique_ptr<Simulation> fresh = bench.offer();
  ASSERT_TRUE(fresh);
  EXPECT_EQ(fresh->scene().reports[0].basis->sketch->recorded, 3);
  EXPECT_LE(fresh->scene().reports[0].basis->size, 3);
  const std::uint32_t before = bench.running->geometry_revision();
  ASSERT_TRUE(fresh->take_over(*bench.running).ok());
  EXPECT_GT(fresh->geometry_revision(), before);
  EXPECT_EQ(fresh->step_index(), 30);
  EXPECT_DOUBLE_EQ(fresh->time(), bench.running->time());
  // sagging is in the span of the pulls, nearly
  const Index tip3 = 3 * static_cast<Index>(tip) + 2;
  const auto height = [&](const Simulation& one) { return one.positions(0).value()[to_size(tip3)] - 0.1F; };
  EXPECT_NEAR(height(*fresh), height(*bench.running), 0.2F * std::abs(height(*bench.running)));
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(fresh->advance());
  EXPECT_TRUE(fresh->healthy());
}

TEST(Sketching, CanBeCancelledAlone) {
  Bench bench(test::beam_scene("modal"));
  bench.post(OpenSketch{0});
  (void)bench.next<SketchStart>();
  bench.post(AddPull{0, tip_of(*bench.running), {0.0F, 0.0F, 20.0F}});
  bench.cancel_at_work = true;
  bench.post(SolveSketch{0, 3, 0.01});
  const Work work = bench.finished();
  EXPECT_EQ(work.failed, 1);
  EXPECT_EQ(work.text, "cancelled");
  EXPECT_FALSE(bench.offer());
  bench.cancel_at_work = false;
  bench.post(SolveSketch{0, 3, 0.01});  // the pulls are still there
  EXPECT_EQ(bench.finished().failed, 0);
}

TEST(Sketching, IsRefusedWhereItMakesNoSense) {
  Bench tree(test::beam_scene("tree"));
  tree.post(OpenSketch{0});
  EXPECT_EQ(tree.next<Notice>().severity, 1);
  Bench loose(test::beam_scene("modal", false));
  loose.post(OpenSketch{0});
  EXPECT_EQ(loose.next<Notice>().severity, 1);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Bench bench(test::beam_scene("modal"));
  bench.post(SketchPoint{0, 0});  // not begun
  EXPECT_EQ(bench.next<Notice>().severity, 1);
  bench.post(OpenSketch{0});
  (void)bench.next<SketchStart>();
  for (const PageMessage& wrong : std::vector<PageMessage>{
           OpenSketch{7}, SketchPoint{0, 100000}, SketchPoint{3, 0}, AddPull{0, 100000, {1.0F, 0.0F, 0.0F}},
           AddPull{0, 0, {1.0F, 0.0F}}, AddPull{0, 0, {}}, AddPull{0, 0, {nan, 0.0F, 0.0F}},
           AddPull{0, 0, std::vector<float>(300, 1.0F)}, SolveSketch{0, 3, 0.05}, WritePulls{0, 1}}) {
    bench.post(wrong);
    EXPECT_EQ(bench.next<Notice>().severity, 1);
  }
}

/// Middles of the outer elements.
std::vector<Vector3> middles(const CutSurface& surface) {
  std::vector<Vector3> sum;
  std::vector<double> count;
  for (std::size_t t = 0; t < surface.elements.size(); ++t) {
    const std::size_t e = surface.elements[t];
    if (e >= sum.size()) sum.resize(e + 1, Vector3::Zero()), count.resize(e + 1, 0.0);
    for (std::size_t k = 0; k < 3; ++k)
      for (Index c = 0; c < 3; ++c)
        sum[e][c] += surface.rest[3 * surface.triangles[3 * t + k] + to_size(c)] / 3.0;
    count[e] += 1.0;
  }
  for (std::size_t e = 0; e < sum.size(); ++e) sum[e] /= count[e];
  return sum;
}

/// A page's own copy of the labels.
struct Painter {
  explicit Painter(Bench& on) : bench(on) {
    bench.post(OpenCut{0});
    middle = middles(bench.next<CutSurface>());
    labels.assign(middle.size(), 0);
    take(bench.next<Cut>());
  }
  template <class Inside>
  void paint(std::uint32_t domain, const Inside& inside) {
    PaintCut message{0, domain, {}};
    for (std::size_t e = 0; e < middle.size(); ++e)
      if (inside(middle[e]))
        message.elements.push_back(static_cast<std::uint32_t>(e)),
            labels[e] = static_cast<std::uint16_t>(domain);
    bench.post(message);
  }
  std::uint32_t checksum() const {
    std::uint32_t sum = 0;
    for (std::size_t e = 0; e < labels.size(); ++e)
      sum += static_cast<std::uint32_t>(e + 1) * (labels[e] + 1U);
    return sum;
  }
  Cut check(bool merge = false) {
    bench.post(CheckCut{++request, 0, checksum(), static_cast<std::uint8_t>(merge ? 1 : 0)});
    const Cut cut = bench.next<Cut>();
    EXPECT_EQ(cut.request, request);
    take(cut);
    return cut;
  }
  void take(const Cut& cut) {
    if (!cut.labels.empty()) labels = cut.labels;
  }
  Bench& bench;
  std::vector<Vector3> middle;
  std::vector<std::uint16_t> labels;
  std::uint32_t request = 0;
};

TEST(Decomposing, PaintedDomainsRunAsATree) {
  Bench bench(test::beam_scene("modal"));
  Painter page(bench);
  page.paint(1, [](const Vector3& x) { return x.x() > 0.5; });
  bench.post(NameCut{0, 0, "stem", 8});
  bench.post(NameCut{0, 1, "tip", 5});
  const Cut cut = page.check();
  EXPECT_EQ(cut.fine, 1) << cut.problems;
  ASSERT_EQ(cut.domains.size(), 2U);
  EXPECT_EQ(cut.domains[1].name, "tip");
  EXPECT_EQ(cut.domains[1].parent, 0U);
  EXPECT_EQ(cut.domains[0].elements + cut.domains[1].elements,
            static_cast<std::uint32_t>(bench.running->scene().elastic[0]->mesh().element_count()));
  ASSERT_EQ(cut.links.size(), 1U);
  EXPECT_NEAR(cut.links[0].area, 0.02, 0.02);  // 0.2 × 0.1 m², more where the cut is ragged

  for (int i = 0; i < 20; ++i) ASSERT_TRUE(bench.running->advance());
  bench.post(ApplyCut{0, page.checksum(), 0, 3});
  const Work work = bench.finished();
  EXPECT_EQ(work.failed, 0) << work.text;
  const std::unique_ptr<Simulation> fresh = bench.offer();
  ASSERT_TRUE(fresh && fresh->scene().world->bodies()[0].model->domains() != nullptr);
  ASSERT_TRUE(fresh->take_over(*bench.running).ok());
  EXPECT_EQ(fresh->hello().bodies[0].model, "tree");
  EXPECT_EQ(fresh->hello().bodies[0].domains.size(), 2U);
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(fresh->advance()) << fresh->trouble();

  // a second look begins with what runs now
  bench.post(OpenCut{0});
  (void)bench.next<CutSurface>();
  EXPECT_EQ(bench.next<Cut>().domains[1].name, "tip");
}

TEST(Decomposing, FilesReadBackAsTheSameDomains) {
  Bench bench(test::beam_scene("modal"));
  Painter page(bench);
  page.paint(1, [](const Vector3& x) { return x.x() > 0.5; });
  bench.post(NameCut{0, 1, "tip", 5});
  const Cut cut = page.check();
  bench.post(WriteCut{0, page.checksum(), 0, 3});
  const File mesh = bench.next<File>();
  EXPECT_EQ(mesh.name, "test-domains.msh");
  const auto back = read_volume_bytes(mesh.content, mesh.name);
  ASSERT_TRUE(back.ok());
  std::uint32_t tips = 0;
  for (const Label label : back.value().mesh.tet_labels) tips += label == 2 ? 1U : 0U;
  EXPECT_EQ(tips, cut.domains[1].elements);
  EXPECT_EQ(back.value().mesh.region_names.at(2), "tip");

  const File text = bench.next<File>();
  const auto scene = read_scene(text.content, "back.toml");
  ASSERT_TRUE(scene.ok()) << to_string(scene.error()) << "\n" << text.content;
  const BodyText& body = scene.value().bodies[0];
  EXPECT_EQ(body.model_type, "tree");
  EXPECT_TRUE(body.tree.labels);
  EXPECT_EQ(body.mesh, "test-domains.msh");
  EXPECT_EQ(body.tree.linear_modes, 3);
  EXPECT_EQ(body.domains[1].modes, 5);
  EXPECT_EQ(body.fixed.size(), 1U);
  EXPECT_EQ(scene.value().probes.size(), 1U);
}

TEST(Decomposing, AWrittenCutHasTheEditsOfTheScene) {
  Bench bench(test::beam_scene("tree"));
  SceneChanges changes = bench.running->changes();
  changes.gravity = Vector3(0.0, 0.0, -4.0);
  changes.materials[0][0].young = 2e6;
  changes.tuning[0].emplace_back("tip", DomainTuning{2.0, std::nullopt, std::nullopt});
  changes.detached.push_back({0, "middle", 0.1});
  bench.workshop->know(changes);
  Painter page(bench);
  page.paint(1, [](const Vector3& x) { return x.x() > 0.5; });
  bench.post(NameCut{0, 1, "tip", 5});
  (void)page.check();
  bench.post(WriteCut{0, page.checksum(), 0, 3});
  const auto scene =
      read_scene(bench.next_such<File>([](const File& file) { return file.name.ends_with(".toml"); }).content,
                 "back.toml");
  ASSERT_TRUE(scene.ok()) << to_string(scene.error());
  EXPECT_EQ(scene.value().gravity.z(), -4.0);
  EXPECT_EQ(scene.value().bodies[0].material.young, 2e6);
  EXPECT_TRUE(scene.value().events.empty());  // of domains that are no more
  for (const DomainText& domain : scene.value().bodies[0].domains)
    EXPECT_EQ(domain.frequency_scale, domain.name == "tip" ? 2.0 : 1.0);
}

/// As many coordinates as before, but of other shapes: the body keeps its shape, not its coordinates, and a
/// state that was kept is not taken for one of the new shapes.
TEST(Decomposing, AnotherCutWithAsManyCoordinatesGoesOnFromTheSameShape) {
  Bench bench(test::beam_scene("tree"));
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(bench.running->advance());
  ASSERT_TRUE(bench.running->execute(PageMessage(SaveState{})).ok());
  const State before = bench.running->state();
  Painter page(bench);
  page.paint(0, [](const Vector3& x) { return x.x() < 0.45; });  // the root grows
  const Cut cut = page.check();
  ASSERT_EQ(cut.domains.size(), 3U);
  bench.post(ApplyCut{0, page.checksum(), 0, 3});
  (void)bench.finished();
  const std::unique_ptr<Simulation> fresh = bench.offer();
  ASSERT_TRUE(fresh);
  ASSERT_EQ(fresh->state().bodies[0].coordinates.size(), before.bodies[0].coordinates.size());
  ASSERT_TRUE(fresh->take_over(*bench.running, bench.succession).ok());
  EXPECT_NEAR(fresh->state().probes[2], before.probes[2], 0.02F * std::abs(before.probes[2]));
  EXPECT_NEAR(fresh->state().strain, before.strain, 0.2F * before.strain);
  EXPECT_FALSE(fresh->execute(PageMessage(LoadState{})).ok());
}

TEST(Decomposing, ACutWithoutADomainThatAnEventNamesIsNotWritten) {
  Bench bench(test::beam_scene("tree") + "[[event]]\nt = 0.5\ndetach = \"tip\"\n");
  Painter page(bench);
  bench.post(NameCut{0, 2, "end", 5});
  (void)page.check();
  bench.post(WriteCut{0, page.checksum(), 0, 3});
  EXPECT_NE(bench.next<Notice>().text.find("tip"), std::string::npos);
}

/// Labels of the mesh that is written are domains: what was selected by the old ones would be something else.
TEST(Decomposing, ACutOfABodyThatIsSelectedByLabelIsNotWritten) {
  std::string toml = test::beam_scene("modal");
  toml.insert(
      toml.find("[[probe]]"),
      "[[body.region]]\nwhere = \"label == 0\"\nmaterial = { young = 2e6, poisson = 0.3, density = 1000 }\n");
  Bench bench(toml);
  Painter page(bench);
  page.paint(1, [](const Vector3& x) { return x.x() > 0.5; });
  (void)page.check();
  bench.post(WriteCut{0, page.checksum(), 0, 3});
  EXPECT_NE(bench.next<Notice>().text.find("label"), std::string::npos);
}

TEST(Decomposing, RingsAreShownAndMerged) {
  Bench bench(test::beam_scene("full"));
  Painter page(bench);
  page.paint(1, [](const Vector3& x) { return x.x() > 0.5 && x.y() < 0.1; });
  page.paint(2, [](const Vector3& x) { return x.x() > 0.5 && x.y() > 0.1; });
  page.paint(3, [](const Vector3& x) { return x.x() > 0.2 && x.x() < 0.5 && x.y() > 0.1; });
  const Cut ring = page.check();
  EXPECT_EQ(ring.fine, 0);
  EXPECT_FALSE(ring.problems.empty());
  EXPECT_EQ(ring.domains[1].ring, 1U);
  EXPECT_EQ(ring.domains[2].ring, 1U);
  bench.post(ApplyCut{0, page.checksum(), 0, 3});
  EXPECT_EQ(bench.finished().failed, 1);
  page.paint(4, [](const Vector3& x) { return x.x() < 0.15; });
  const Cut merged = page.check(true);
  EXPECT_EQ(merged.fine, 1) << merged.problems;
  EXPECT_EQ(merged.domains[2].elements, 0U);
}

TEST(Decomposing, StraysJoinTheirNeighboursAndThePageIsTold) {
  Bench bench(test::beam_scene("full"));
  Painter page(bench);
  page.paint(1, [](const Vector3& x) { return x.x() > 0.5; });
  bench.post(PaintCut{0, 1, {0}});  // one element at the other end
  page.labels[0] = 1;
  const Cut cut = page.check();
  EXPECT_EQ(cut.fine, 1) << cut.problems;
  ASSERT_FALSE(cut.labels.empty());
  EXPECT_EQ(page.labels[0], 0);
  EXPECT_TRUE(page.check().labels.empty());  // from now on both know the same
}

TEST(Decomposing, FindsDomainsByItself) {
  Bench bench(test::beam_scene("full"));
  Painter page(bench);
  bench.post(SplitCut{0, 3});
  const Cut cut = bench.next<Cut>();
  EXPECT_EQ(cut.domains.size(), 3U);
  EXPECT_EQ(cut.fine, 1) << cut.problems;
}

TEST(Decomposing, CopiesOfADomainBecomeDomainsLikeIt) {
  std::string toml = test::beam_scene("modal");
  toml.replace(toml.find("\"tet\""), 5, "\"hex\"");
  Bench bench(toml);
  Painter page(bench);
  page.paint(1, [](const Vector3& x) { return x.x() > 0.4 && x.x() < 0.5; });
  bench.post(NameCut{0, 1, "bay", 5});
  bench.post(RepeatCut{0, 1});
  const Cut cut = bench.next<Cut>();
  // all slices but the ends, which have an outer face more
  ASSERT_EQ(cut.domains.size(), 9U);
  for (std::size_t d = 1; d < 8; ++d) {
    EXPECT_EQ(cut.domains[d].elements, 2U);
    EXPECT_EQ(cut.domains[d].modes, 5U);
  }
  EXPECT_EQ(cut.domains[2].name, "bay 2");
  EXPECT_EQ(cut.domains[0].elements, 2U);  // and the two ends are no longer one
  EXPECT_EQ(cut.domains[8].elements, 2U);
  EXPECT_EQ(cut.fine, 1) << cut.problems;
  bench.post(RepeatCut{0, 1});  // nothing is left to copy
  EXPECT_EQ(bench.next_such<Notice>([](const Notice& notice) { return notice.severity == 1; }).severity, 1);
  bench.post(RepeatCut{0, 0});
  EXPECT_EQ(bench.next<Notice>().severity, 1);
}

TEST(Decomposing, CopiesMayBeTurned) {
  const auto simulation = test::simulate(test::beam_scene("modal"));
  VolumeMesh mesh = simulation->scene().elastic[0]->mesh();
  const Index count = mesh.element_count();
  const auto vertices = static_cast<VertexId>(mesh.vertices.size());
  const Matrix3 turn = Eigen::AngleAxisd(0.7, Vector3(1, 2, 3).normalized()).toRotationMatrix();
  for (VertexId v = 0; v < vertices; ++v)
    mesh.vertices.push_back(turn * mesh.vertices[to_size(v)] + Vector3(3, 1, 0));
  for (Index e = 0; e < count; ++e) {
    Tet tet = mesh.tets[to_size(e)];
    for (VertexId& v : tet) v += vertices;
    mesh.tets.push_back(tet);
  }
  std::vector<Index> part;
  std::vector<char> free(to_size(2 * count), 1);
  for (Index e = 0; e < count; ++e) {
    free[to_size(e)] = 0;
    if (element_centroid(mesh, e).x() > 0.55) part.push_back(e);
  }
  const auto copies = congruent_parts(mesh, part, free);
  ASSERT_EQ(copies.size(), 1U);
  for (std::size_t i = 0; i < part.size(); ++i)
    EXPECT_LT(
        (element_centroid(mesh, copies[0][i]) - (turn * element_centroid(mesh, part[i]) + Vector3(3, 1, 0)))
            .norm(),
        1e-3);
}

TEST(Decomposing, NonsenseIsRefused) {
  Bench bench(test::beam_scene("full"));
  bench.post(PaintCut{0, 1, {0}});  // not begun
  EXPECT_EQ(bench.next<Notice>().severity, 1);
  Painter page(bench);
  for (const PageMessage& wrong : std::vector<PageMessage>{
           OpenCut{4}, PaintCut{0, 0xffffffffU, {0}}, PaintCut{0, 1, {100000}}, PaintCut{2, 1, {0}},
           NameCut{0, 0xffffffffU, "a", 3}, NameCut{0, 1, "", 3}, NameCut{0, 1, "a\"b", 3},
           NameCut{0, 1, "a", 100000}, NameCut{0, 1, std::string(1000, 'a'), 3}, SplitCut{0, 0},
           SplitCut{0, 0xffffffffU}, ApplyCut{0, page.checksum() + 1, 0, 3},
           WriteCut{0, page.checksum() + 1, 0, 3}}) {
    bench.post(wrong);
    EXPECT_EQ(bench.next<Notice>().severity, 1);
  }
  EXPECT_EQ(page.check().domains[0].elements,
            static_cast<std::uint32_t>(bench.running->scene().elastic[0]->mesh().element_count()));
}

}  // namespace
}  // namespace pliant::view
