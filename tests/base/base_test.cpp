#include "pliant/base/atomic_file.hpp"
#include "pliant/base/background.hpp"
#include "pliant/base/hash.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/rng.hpp"
#include "pliant/base/stage_times.hpp"
#include "pliant/base/text.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace pliant {
namespace {

TEST(Diagnostic, PrintsOnlyWhatIsKnown) {
  EXPECT_EQ(to_string({ErrorCode::kSyntax, {"a.toml", 3, 7, "body[0].mesh"}, "is bad", "mend it"}),
            "a.toml:3:7: body[0].mesh: is bad; mend it");
  EXPECT_EQ(to_string({ErrorCode::kSyntax, {"a.msh", 12, 0, ""}, "is bad", ""}), "a.msh:12: is bad");
  EXPECT_EQ(to_string({ErrorCode::kUsage, {}, "is bad", ""}), "is bad");
}

TEST(Text, NearestWordFindsTyposOnly) {
  const std::array<std::string_view, 3> words{"young", "poisson", "density"};
  EXPECT_EQ(nearest_word("yuong", words), "young");
  EXPECT_EQ(nearest_word("dens", words), "density");
  EXPECT_EQ(nearest_word("gravity_of_the_situation", words), "");
}

TEST(Rng, FirstNumbersAreFixed) {
  // The published xoshiro256++ recurrence, seeded by splitmix64(1): any change of the generator moves stored
  // seeds.
  Rng a(1);
  Rng b(1);
  Rng c(2);
  const std::uint64_t first = a.bits();
  EXPECT_EQ(first, b.bits());
  EXPECT_NE(first, c.bits());
  double mean = 0.0;
  for (int i = 0; i < 100000; ++i) mean += a.uniform() / 100000.0;
  EXPECT_NEAR(mean, 0.5, 5.0 / std::sqrt(12.0 * 100000.0));  // five standard deviations
}

TEST(Hash, DependsOnEveryByte) {
  const auto hash = [](std::string_view bytes) {
    Hasher hasher;
    hasher.add(bytes);
    return hasher.hex();
  };
  EXPECT_EQ(hash("abc").size(), 32u);
  EXPECT_EQ(hash("abc"), hash("abc"));
  EXPECT_NE(hash("abc"), hash("abd"));
}

TEST(Parallel, BlocksCoverTheRangeOnce) {
  for (const int threads : {1, 2}) {
    const ThreadScope scope(threads);
    std::vector<int> hits(1003, 0);
    parallel_blocks(1003, 64, [&](Index block, Index begin, Index end) {
      EXPECT_EQ(begin, block * 64);
      for (Index i = begin; i < end; ++i) ++hits[to_size(i)];
    });
    for (const int hit : hits) EXPECT_EQ(hit, 1);
  }
}

TEST(Parallel, ScopesHoldForTheirThreadWhileTheyLive) {
  const int before = thread_count();
  {
    const ThreadScope outer(3);
    EXPECT_EQ(thread_count(), 3);
    {
      const ThreadScope inner(1);
      EXPECT_EQ(thread_count(), 1);
    }
    EXPECT_EQ(thread_count(), 3);
    int elsewhere = 0;
    std::thread([&] { elsewhere = thread_count(); }).join();
    EXPECT_EQ(elsewhere, before);
    const ThreadScope same(0);
    EXPECT_EQ(thread_count(), before);
  }
  EXPECT_EQ(thread_count(), before);
}

TEST(Parallel, LoopsWithinLoopsUseTheSameThreads) {
  for (const int threads : {1, 2, 5}) {
    const ThreadScope scope(threads);
    std::vector<int> counts(40, 0);
    std::vector<Index> sums(40, 0);
    parallel_tasks(40, [&](Index i) {
      counts[to_size(i)] = thread_count();
      std::vector<Index> parts(10, 0);
      parallel_tasks(10, [&](Index k) { parts[to_size(k)] = thread_count() == threads ? i + k : -1; });
      sums[to_size(i)] = std::accumulate(parts.begin(), parts.end(), Index{0});
    });
    for (Index i = 0; i < 40; ++i) {
      EXPECT_EQ(counts[to_size(i)], threads);
      EXPECT_EQ(sums[to_size(i)], 10 * i + 45);
    }
    EXPECT_EQ(thread_count(), threads);
  }
}

TEST(Parallel, ThreadsDoNotWaitForEachOther) {
  // A task of one thread's loop ends only after a whole loop of another thread.
  const ThreadScope scope(2);
  std::atomic<bool> done{false};
  std::thread other([&] {
    const ThreadScope own(2);
    parallel_tasks(8, [](Index) {});
    done = true;
  });
  parallel_tasks(2, [&](Index) {
    while (!done) std::this_thread::yield();
  });
  other.join();
  EXPECT_TRUE(done);
}

TEST(Progress, IsCancelledByItsOwnFlag) {
  std::atomic<bool> flag{false};
  Progress mine(&flag), never;
  const StageTimes timed(mine);
  EXPECT_FALSE(mine.cancelled());
  flag = true;
  EXPECT_TRUE(mine.cancelled());
  EXPECT_TRUE(timed.cancelled());
  EXPECT_FALSE(never.cancelled());
  EXPECT_FALSE(no_progress().cancelled());
}

TEST(AtomicFile, WritesWholeFilesOrNothing) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "a.txt";
  ASSERT_TRUE(write_file(path, "hello").ok());
  EXPECT_EQ(read_file(path).value(), "hello");
  const auto missing = write_file(folder.path() / "no" / "a.txt", "x");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::kUnwritable);
  EXPECT_EQ(read_file(folder.path() / "none").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(read_file(folder.path()).error().code, ErrorCode::kUnreadable);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);  // no temporary left
}

TEST(AtomicFile, WhoIsKilledLeavesNothingBehind) {
  const test::TemporaryFolder folder;
  const std::string bytes(std::size_t{1} << 26, 'x');
  for (int i = 0; i < 8; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (;;) (void)write_file(folder.path() / "a.bin", bytes);
    }
    ::usleep(static_cast<useconds_t>(3000 * (i + 1)));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    EXPECT_EQ(entry.path().filename(), "a.bin");
}

TEST(Background, JobsRunInTheirOrderAndAllOfThem) {
  std::vector<int> done;
  Background work(2);
  for (int i = 0; i < 20; ++i)
    ASSERT_TRUE(work.add([&done, i]() -> Status {
      done.push_back(i);
      return Done{};
    }));
  ASSERT_TRUE(work.finish());
  ASSERT_EQ(done.size(), 20U);
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
}

TEST(Background, TroubleComesBackAndEndsTheWork) {
  std::atomic<int> done = 0;
  Background work(1);
  EXPECT_TRUE(work.add([&]() -> Status {
    ++done;
    return Diagnostic{ErrorCode::kDisk, {}, "no room", ""};
  }));
  EXPECT_FALSE(work.finish());
  EXPECT_FALSE(work.add([&]() -> Status {
    ++done;
    return Done{};
  }));
  EXPECT_EQ(work.finish().errors()[0].code, ErrorCode::kDisk);
  EXPECT_EQ(done, 1);
}

TEST(Background, TheEndWaitsForWhatWasAdded) {
  int done = 0;
  {
    Background work(5);
    for (int i = 0; i < 5; ++i)
      ASSERT_TRUE(work.add([&]() -> Status {
        ++done;
        return Done{};
      }));
  }
  EXPECT_EQ(done, 5);
}

}  // namespace
}  // namespace pliant
