#!/usr/bin/env bash
# Installs what the build needs from Debian's or Ubuntu's own packages; says nothing when all is there.
#
#   scripts/setup.sh [--tests] [--lint] [--fuzz]
#     --tests  also what only the tests need: Python with torch and h5py, Node with onnxruntime-node
#     --lint   also clang-format and clang-tidy
#     --fuzz   also Clang with libFuzzer
#
# AWALE_SETUP=skip does nothing: for those who bring their own libraries, such as a LibTorch with CUDA
# (point CMake at it with CMAKE_PREFIX_PATH).
# The other scripts source this file for its functions: setup, build_jobs, build_release.
set -euo pipefail

AWALE_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
readonly AWALE_ROOT

# The names are the same in Debian 12 and 13. OpenBLAS is named because libtorch-dev alone brings the
# reference BLAS, whose matrix products are about 100 times slower; its pthread build, because the
# serial one takes no locks and multiplies wrongly when several threads use it.
readonly BUILD_PACKAGES=(
  cmake ninja-build g++ git ca-certificates
  libtorch-dev libdnnl-dev libopenblas0-pthread libeigen3-dev libhdf5-dev
  libcli11-dev nlohmann-json3-dev libxxhash-dev libisal-dev libcpp-httplib-dev
  libtomlplusplus-dev libonnx-dev libprotobuf-dev protobuf-compiler pkg-config catch2
)
readonly TEST_PACKAGES=(
  python3 python3-torch python3-h5py python3-numpy python3-pandas python3-matplotlib
  zsh groff-base chromium
)
readonly FUZZ_PACKAGES=(clang libclang-rt-dev)

say() { printf 'setup: %s\n' "$*" >&2; }

# setup [--tests] [--lint] [--fuzz]
setup() {
  local tests=0 lint=0 fuzz=0
  while (($#)); do
    case $1 in
      --tests) tests=1 ;;
      --lint) lint=1 ;;
      --fuzz) fuzz=1 ;;
      *) say "unknown argument '$1' (known: --tests, --lint, --fuzz)"; return 2 ;;
    esac
    shift
  done
  if [[ ${AWALE_SETUP:-} == skip ]]; then return 0; fi
  if ! is_debian_like; then
    explain_other_systems
    return
  fi

  local wanted=("${BUILD_PACKAGES[@]}")
  if ((tests)); then
    wanted+=("${TEST_PACKAGES[@]}")
    # Asked for as commands: Node from elsewhere does as well, and cannot be installed beside Debian's npm.
    if ! have node; then wanted+=(nodejs); fi
    if ! have npm; then wanted+=(npm); fi
  fi
  if ((fuzz)); then wanted+=("${FUZZ_PACKAGES[@]}"); fi
  if ((lint)); then mapfile -t -O "${#wanted[@]}" wanted < <(lint_packages); fi

  local missing
  mapfile -t missing < <(not_installed "${wanted[@]}")
  if ((${#missing[@]})); then install_packages "${missing[@]}" || return; fi
  check_blas
  if ((tests)); then install_npm_packages; fi
}

have() { command -v "$1" >/dev/null; }

is_debian_like() {
  have apt-get && have dpkg-query && [[ -r /etc/os-release ]] || return 1
  # In a subshell: the file sets NAME, VERSION and more.
  (. /etc/os-release && [[ " ${ID:-} ${ID_LIKE:-} " =~ \ (debian|ubuntu)\  ]])
}

# Debian 13 has no version 14; the code is formatted with it, so elsewhere lint only advises (.ci/lint).
lint_packages() {
  case $(. /etc/os-release && echo "${VERSION_CODENAME:-}") in
    bookworm | jammy | noble) printf '%s\n' clang-format-14 clang-tidy-14 ;;
    *) printf '%s\n' clang-format clang-tidy ;;
  esac
}

# Asks dpkg, not apt: a tenth of a second, no network, no lock.
not_installed() {
  local installed
  installed=" $(dpkg-query -W -f '${db:Status-Status}:${Package} ' "$@" 2>/dev/null || true)"
  local package
  for package in "$@"; do
    if [[ $installed != *" installed:$package "* ]]; then echo "$package"; fi
  done
}

install_packages() {
  local as_root=()
  if ((EUID != 0)); then
    if ! have sudo; then
      say "needs root or sudo to install: $*"
      return 1
    fi
    as_root=(sudo)
  fi
  say "installing $* (and what they need; a few minutes)"
  local log
  log=$(mktemp)
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
  if ! { "${apt[@]}" update && "${apt[@]}" install --yes --no-install-recommends "$@"; } >"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    say "apt-get failed (its last lines are above, all of them in $log)"
    return 1
  fi
  rm -f "$log"
}

# The library that LibTorch really loads is whatever the alternative points to, which may be an older
# choice of this machine's owner. We say so rather than change it: other programs use it too.
check_blas() {
  local link target
  link=/etc/alternatives/libblas.so.3-$(gcc -print-multiarch)
  target=$(readlink -e "$link" || true)
  if [[ ! $target =~ openblas-(pthread|openmp)|mkl ]]; then
    say "slow BLAS: libblas.so.3 is ${target:-missing}, training would be about 100 times slower." \
      "Mend: update-alternatives --config ${link##*/} (as root), choose openblas-pthread"
  fi
}

# install_npm FOLDER WHAT: the packages of FOLDER's lock file. A failure here costs only the tests that
# need them, which then skip and say why.
install_npm() {
  # npm writes this file last, so it stands for a complete installation of this very lock file.
  local stamp=$AWALE_ROOT/$1/node_modules/.package-lock.json
  if [[ -e $stamp && ! $AWALE_ROOT/$1/package-lock.json -nt $stamp ]]; then return 0; fi
  say "installing npm packages for $2"
  # --ignore-scripts: onnxruntime-node's downloads CUDA libraries; the CPU binary is in the package.
  if ! (cd "$AWALE_ROOT/$1" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error \
    --fetch-retries=1 --fetch-timeout=60000 </dev/null >/dev/null 2>&1); then
    say "npm could not install what $2 need (registry out of reach?): they will be skipped"
  fi
}

install_npm_packages() {
  install_npm tests/nn/onnx "the ONNX test"
  install_npm tests/web "the tests of the pages"
  install_npm training/web "the build of the pages"
}

explain_other_systems() {
  cat >&2 <<'TABLE'
setup: this is neither Debian nor Ubuntu; please install these yourself:
  needed                 Debian                        Fedora                    Homebrew / conda-forge
  CMake 3.25+, Ninja     cmake ninja-build             cmake ninja-build         cmake ninja
  C++20 compiler         g++ (12+)                     gcc-c++                   gcc / gxx
  LibTorch 1.13+         libtorch-dev                  python3-torch-devel       pytorch / libtorch
  oneDNN (OpenMP build)  libdnnl-dev                   onednn-devel              onednn
  OpenBLAS               libopenblas0-pthread          openblas-devel            openblas
  Eigen 3.4              libeigen3-dev                 eigen3-devel              eigen
  HDF5 with C++          libhdf5-dev                   hdf5-devel                hdf5
  CLI11                  libcli11-dev                  cli11-devel               cli11
  nlohmann JSON          nlohmann-json3-dev            json-devel                nlohmann-json / nlohmann_json
  toml++ 3.3+            libtomlplusplus-dev           tomlplusplus-devel        tomlplusplus
  xxHash                 libxxhash-dev                 xxhash-devel              xxhash
  cpp-httplib 0.11+      libcpp-httplib-dev pkg-config cpp-httplib-devel         cpp-httplib
  ISA-L                  libisal-dev                   isa-l-devel               isa-l
  ONNX (C++)             libonnx-dev                   onnx-devel                onnx / libonnx
  Protocol Buffers       libprotobuf-dev               protobuf-devel            protobuf / libprotobuf
                         protobuf-compiler             protobuf-compiler
  Catch2 (tests)         catch2                        catch-devel               catch2
  Python (tests)         python3-torch python3-h5py    python3-torch             pytorch h5py numpy
                         python3-numpy python3-pandas  python3-h5py python3-pandas
  Node (tests)           nodejs npm                    nodejs npm                node / nodejs
  Chromium (tests)       chromium                      chromium                  chromium
TABLE
  local tool absent=()
  for tool in cmake ninja g++; do
    if ! have "$tool"; then absent+=("$tool"); fi
  done
  if ((${#absent[@]})); then
    say "not found: ${absent[*]}"
    return 1
  fi
}

# Eight sources with LibTorch need 1.6 GB to compile; more compilers than memory end in a kill.
build_jobs() {
  local cores mib=4096 limit
  cores=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)
  if [[ -r /proc/meminfo ]]; then mib=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo); fi
  # A container may have less than the machine.
  limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null || echo max)
  if [[ $limit =~ ^[0-9]+$ ]] && ((limit / 1048576 < mib)); then mib=$((limit / 1048576)); fi
  local jobs=$((mib / 2048))
  if ((jobs > cores)); then jobs=$cores; fi
  if ((jobs < 1)); then jobs=1; fi
  echo "${AWALE_JOBS:-$jobs}"
}

# build_release TARGET: builds it with the preset `release`, which must be configured.
build_release() {
  local jobs
  jobs=$(build_jobs)
  if ! (cd "$AWALE_ROOT" && cmake --build --preset release --parallel "$jobs" --target "$1"); then
    say "the build failed; the first error is above. If it says 'Killed', memory ran out: sources with" \
      "LibTorch need 1.6 GB, and $jobs were compiled at a time. Try again with AWALE_JOBS=1 in the environment."
    return 1
  fi
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then setup "$@"; fi
