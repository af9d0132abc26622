#!/usr/bin/env bash
# Tries the front door as a newcomer would: makes a Debian 12 root, clones the repository into it, and runs `./dev demo` and
# `./dev test` there. Says how long each took.
#
# usage (as root): tools/fresh_root.sh [FOLDER]     FOLDER (default: a temporary one) must not exist; about 6 GB
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

[[ $(id -u) == 0 ]] || { echo "error: debootstrap and chroot need root" >&2; exit 1; }
command -v debootstrap >/dev/null || apt-get install -y -q debootstrap
root=${1:-$(mktemp -d)/root}
[[ ! -e $root ]] || { echo "error: $root is there already" >&2; exit 2; }

# The package sources of this machine serve the new root too.
mirror=$(sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\?\([^ ]*\) .*/\2/p' /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null | head -1 || true)
debootstrap --variant=minbase --include=git,ca-certificates bookworm "$root" "${mirror:-}"
for file in /etc/apt/apt.conf.d /etc/apt/sources.list.d /etc/apt/sources.list /etc/resolv.conf /etc/hosts /etc/npmrc "$HOME/.npmrc" /usr/local/share/ca-certificates; do
  [[ -e $file ]] || continue
  mkdir -p "$root$(dirname "$file")"
  cp -rL "$file" "$root$(dirname "$file")/"
done

# So do its certificates, where a proxy has its own.
surroundings=(PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME="$HOME" LANG=C.UTF-8)
for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY NODE_EXTRA_CA_CERTS SSL_CERT_FILE; do
  [[ -n ${!name:-} ]] || continue
  surroundings+=("$name=${!name}")
  [[ -f ${!name} ]] || continue
  mkdir -p "$root$(dirname "${!name}")"
  cp -L "${!name}" "$root${!name}"
done

cleanup() { umount "$root/proc" "$root/dev/shm" "$root/dev" 2>/dev/null || true; }
trap cleanup EXIT
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mkdir -p "$root/dev/shm"

mkdir -p "$root/srv"
git clone -q --no-hardlinks . "$root/srv/pliant"
[[ ! -d ../shared ]] || cp -r ../shared "$root/srv/shared"
for command in demo test; do
  start=$SECONDS
  env -i "${surroundings[@]}" chroot "$root" bash -c "cd /srv/pliant && ./dev $command"
  echo "===== ./dev $command in a fresh root: $((SECONDS - start)) s"
done
