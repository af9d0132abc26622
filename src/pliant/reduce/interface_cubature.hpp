// reduce/interface_cubature.hpp — few of the elements between domains, weighted, for all of them
// [WuMukherjeeWang2015] §5.
//
// An interface is the set of elements that couple the same domains, two or more. Each element keeps one
// weight for all that it does: the forces on coordinates and frames of all domains have an energy, so both
// momenta are kept with any weights. Forces are measured by their work on the stiffness of these domains at
// rest.
#pragma once

#include "pliant/fem/elastic_body.hpp"
#include "pliant/reduce/cubature.hpp"
#include "pliant/subspace/coupled_body.hpp"

#include <vector>

namespace pliant {

/// Where all domains of a body are: places of their frames, and coordinates one domain after the other.
struct CoupledPose {
  std::vector<Vector3> positions;
  std::vector<Matrix3> turns;
  VectorX q;
  double weight = 1.0;  // of the error in this pose
};

struct Interface {
  std::vector<Index> domains;   // ascending
  std::vector<Index> elements;  // places in CoupledBody::coupling_elements, ascending
};

/// All interfaces, in the order of their domains.
[[nodiscard]] std::vector<Interface> interfaces_of(const CoupledBody& body);

/// What was chosen for an interface; points are places in its list of elements.
struct InterfaceChoice {
  Interface interface;
  CubatureChoice choice;
  std::vector<KindWeights> kinds = {};  // of each point, factors on its weight; empty: all are one
};

/// Chooses for each interface, concurrently. `body`: with all of its coupling elements; the last `held_out`
/// poses judge. Interfaces of few elements keep all. Fails when cancelled.
Result<std::vector<InterfaceChoice>> choose_interfaces(const ElasticBody& whole, const CoupledBody& body,
                                                       const std::vector<CoupledPose>& poses, Index held_out,
                                                       const CubatureSettings& settings, Progress& progress);

/// Gives the points of a choice a weight for each kind of force, as published: the best fit of the forces on
/// the coordinates of each domain, of all forces on frames, and of all torques. The forces are nearer to the
/// exact ones, but they have no energy and do not keep the angular momentum.
void weigh_kinds(const ElasticBody& whole, const CoupledBody& body, const std::vector<CoupledPose>& poses,
                 Index held_out, InterfaceChoice& choice);

/// The error of a choice as [WuMukherjeeWang2015] Eq. 11 measures it, RMS over poses: forces on coordinates,
/// resultants and moments of each domain count alike.
[[nodiscard]] double published_error(const ElasticBody& whole, const CoupledBody& body,
                                     const InterfaceChoice& choice, const std::vector<CoupledPose>& poses);

/// The same body with these elements between its domains: `places` in its coupling_elements (ascending), and
/// their weights, and factors on each kind of force if there are any.
[[nodiscard]] CoupledBody with_coupling(const CoupledBody& body, const ElasticBody& whole,
                                        std::span<const Index> places, std::span<const double> weights,
                                        std::span<const KindWeights> kinds = {});

}  // namespace pliant
