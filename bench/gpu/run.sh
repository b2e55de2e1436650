#!/bin/sh
# Measures this machine's graphics processor: run.sh [FOLDER] [options of the benchmark]. FOLDER, this one where none is
# named, gets report.json and what was printed. It needs a Vulkan driver; the loader is taken from here where there is none.
here=$(cd "$(dirname "$0")" && pwd)
case "${1:-}" in
  "" | -*) out=$here ;;
  *) out=$1; shift ;;
esac
mkdir -p "$out"
if [ ! -x "$here/gpu" ]; then
  gunzip -c "$here/gpu.gz" >"$here/gpu" && chmod +x "$here/gpu" || exit 1
fi
if ! { ldconfig -p 2>/dev/null || /sbin/ldconfig -p; } | grep -q 'libvulkan\.so\.1'; then
  export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$here/lib"
fi
# The status is the benchmark's, and not that of `tee`.
{ "$here/gpu" run "$here" "$out" "$@"; echo $? >"$out/.status"; } | tee "$out/report.txt"
status=$(cat "$out/.status")
rm -f "$out/.status"
exit "$status"
