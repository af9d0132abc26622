// .vtu as ParaView, meshio and others write it: every encoding of the same small mesh.
#include "file/volume_samples.hpp"
#include "pliant/file/vtu.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

namespace pliant {
namespace {

using test::base64;
using test::raw;

enum class Storage { kText, kInline, kInlineApart, kAppendedRaw, kAppendedBase64 };

struct Variant {
  Storage storage = Storage::kText;
  bool wide_header = false;
  bool big = false;
  bool compressed = false;
};

std::string zlib_packed(std::string_view bytes) {
  std::string out(compressBound(static_cast<uLong>(bytes.size())), '\0');
  uLongf length = static_cast<uLongf>(out.size());
  compress(reinterpret_cast<Bytef*>(out.data()), &length, reinterpret_cast<const Bytef*>(bytes.data()),
           static_cast<uLong>(bytes.size()));
  out.resize(length);
  return out;
}

/// A tet and its labelled base in two pieces' worth of arrays; types chosen to differ.
class VtuText {
 public:
  explicit VtuText(const Variant& variant) : variant_(variant) {}

  std::string write(int pieces) {
    std::string body;
    for (int piece = 0; piece < pieces; ++piece) {
      const float shift = static_cast<float>(4 * piece);
      body += "<Piece NumberOfPoints=\"4\" NumberOfCells=\"2\"><CellData>";
      body += array<float>("Float32", "weight", 1, {0.5F, 0.5F});
      body += array<std::int16_t>("Int16", "region", 1, {-3, 600});
      body += "</CellData><Points>";
      body += array<float>("Float32", "Points", 3, {shift, 0, 0, 1 + shift, 0, 0, shift, 1, 0, shift, 0, 1});
      body += "</Points><Cells>";
      body += array<std::uint32_t>("UInt32", "connectivity", 1, {0, 1, 2, 3, 0, 2, 1});
      body += array<std::int64_t>("Int64", "offsets", 1, {4, 7});
      body += array<std::uint8_t>("UInt8", "types", 1, {10, 5});
      body += "</Cells></Piece>";
    }
    std::string out =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"";
    out += variant_.big ? "BigEndian\"" : "LittleEndian\"";
    if (variant_.wide_header) out += " header_type=\"UInt64\"";
    if (variant_.compressed) out += " compressor=\"vtkZLibDataCompressor\"";
    out += ">\n<UnstructuredGrid>\n" + body + "</UnstructuredGrid>\n";
    if (!appended_.empty())
      out += std::string("<AppendedData encoding=\"") +
             (variant_.storage == Storage::kAppendedRaw ? "raw" : "base64") + "\">\n _" + appended_ +
             "\n</AppendedData>\n";
    return out + "</VTKFile>\n";
  }

 private:
  [[nodiscard]] std::string word(std::size_t value) const {
    return variant_.wide_header ? raw(static_cast<std::uint64_t>(value), variant_.big)
                                : raw(static_cast<std::uint32_t>(value), variant_.big);
  }

  template <class T>
  std::string array(const std::string& type, const std::string& name, int components,
                    const std::vector<T>& values) {
    std::string node = "<DataArray type=\"" + type + "\" Name=\"" + name + "\" NumberOfComponents=\"" +
                       std::to_string(components) + "\" format=\"";
    if (variant_.storage == Storage::kText) {
      node += "ascii\">\n";
      for (const T value : values) node += std::to_string(value) + " ";
      return node + "\n</DataArray>";
    }
    std::string bytes;
    for (const T value : values) bytes += raw(value, variant_.big);
    std::string header = word(bytes.size());
    std::string data = bytes;
    if (variant_.compressed) {  // blocks of 16 bytes, so that there are several and a partial one
      constexpr std::size_t kBlock = 16;
      const std::size_t blocks = (bytes.size() + kBlock - 1) / kBlock;
      header = word(blocks) + word(kBlock) + word(bytes.size() % kBlock);
      data.clear();
      for (std::size_t i = 0; i < blocks; ++i) {
        const std::string packed = zlib_packed(std::string_view(bytes).substr(i * kBlock, kBlock));
        header += word(packed.size());
        data += packed;
      }
    }
    const bool apart = variant_.compressed || variant_.storage == Storage::kInlineApart;
    const std::string encoded = apart ? base64(header) + base64(data) : base64(header + data);
    if (variant_.storage == Storage::kInline || variant_.storage == Storage::kInlineApart)
      return node + "binary\">\n  " + encoded + "\n</DataArray>";
    node += "appended\" offset=\"" + std::to_string(appended_.size()) + "\"/>";
    appended_ += variant_.storage == Storage::kAppendedRaw ? header + data : encoded;
    return node;
  }

  Variant variant_;
  std::string appended_;
};

VolumeMesh expected_mesh(int pieces) {
  VolumeMesh mesh;
  for (int piece = 0; piece < pieces; ++piece) {
    const VertexId v = 4 * piece;
    for (const Vector3& p : test::one_tet().vertices)
      mesh.vertices.emplace_back(p + Vector3(4.0 * piece, 0, 0));
    mesh.tets.push_back({v, v + 1, v + 2, v + 3});
    mesh.triangles.push_back({v, v + 2, v + 1});
    mesh.tet_labels.push_back(-3);
    mesh.triangle_labels.push_back(600);
  }
  return mesh;
}

TEST(Vtu, EveryEncodingGivesTheSameMesh) {
  for (const Storage storage : {Storage::kText, Storage::kInline, Storage::kInlineApart,
                                Storage::kAppendedRaw, Storage::kAppendedBase64})
    for (const bool wide : {false, true})
      for (const bool big : {false, true})
        for (const bool compressed : {false, true}) {
          SCOPED_TRACE(std::to_string(static_cast<int>(storage)) + std::to_string(wide) +
                       std::to_string(big) + std::to_string(compressed));
          const auto file = read_vtu(VtuText({storage, wide, big, compressed}).write(1), "a.vtu");
          ASSERT_TRUE(file.ok()) << to_string(file.error());
          test::expect_same(file.value().mesh, expected_mesh(1));
        }
}

TEST(Vtu, PiecesAreMergedInOrder) {
  for (const Storage storage : {Storage::kText, Storage::kAppendedRaw}) {
    const auto file = read_vtu(VtuText({storage}).write(3), "a.vtu");
    ASSERT_TRUE(file.ok()) << to_string(file.error());
    test::expect_same(file.value().mesh, expected_mesh(3));
    ASSERT_EQ(file.value().notes.size(), 1U);  // three components
  }
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, from.size(), to);
}

TEST(VtuErrors, AreLocated) {
  const std::string good = VtuText({Storage::kText}).write(1);
  const auto read = [](const std::string& text) { return read_vtu(text, "a.vtu"); };
  test::expect_error(read(""), ErrorCode::kTruncated, 1);
  test::expect_error(read(good.substr(0, good.size() / 2)), ErrorCode::kTruncated, 9);
  test::expect_error(read(replaced(good, "600", "6x0")), ErrorCode::kSyntax, 7);
  test::expect_error(read(replaced(good, "type=\"UnstructuredGrid\"", "type=\"PolyData\"")),
                     ErrorCode::kUnsupported, 2);
  test::expect_error(read(replaced(good, "NumberOfPoints=\"4\"", "NumberOfPoints=\"99999999999\"")),
                     ErrorCode::kInconsistent, 8);
  test::expect_error(read(replaced(good, "0 1 2 3 0 2 1", "0 1 2 9 0 2 1")), ErrorCode::kOutOfRange, 10);
  test::expect_error(read(replaced(good, "10 5", "10 13")), ErrorCode::kUnsupported, 10, "element 1");
  test::expect_error(read(replaced(good, "4 7", "5 7")), ErrorCode::kInconsistent, 10, "cell 0");
  test::expect_error(read(replaced(good, "<?xml version=\"1.0\"?>\n<VTKFile", "<VTKFail")),
                     ErrorCode::kSyntax, 16);
}

TEST(VtuErrors, DamagedBlocks) {
  const std::string good = VtuText({Storage::kAppendedRaw, false, false, true}).write(1);
  const auto read = [](const std::string& text) { return read_vtu(text, "a.vtu"); };
  ASSERT_TRUE(read(good).ok());
  const std::size_t data = good.find('_', good.find("<AppendedData")) + 1;
  std::string many = good;  // the first array's number of blocks: an absurd header must not allocate
  const std::size_t region = good.find("offset=\"", good.find("region")) + 8;
  const std::size_t at = data + to_size(std::stoul(good.substr(region)));
  many.replace(at, 4, "\xff\xff\xff\x7f");
  test::expect_error(read(many), ErrorCode::kTruncated, 4);
  std::string size = good;  // a block that claims to unpack to 2 GB
  size.replace(at + 8, 4, "\xff\xff\xff\x7f");
  test::expect_error(read(size), ErrorCode::kSyntax, 4);
  std::string noise = good;
  noise.replace(at + 20, 4, "noise", 4);
  test::expect_error(read(noise), ErrorCode::kSyntax, 4);
  test::expect_error(read(good.substr(0, good.size() - 60)), ErrorCode::kTruncated, 4);
  test::expect_error(read(replaced(good, "vtkZLib", "vtkLZ4")), ErrorCode::kUnsupported, 2);
}

}  // namespace
}  // namespace pliant
