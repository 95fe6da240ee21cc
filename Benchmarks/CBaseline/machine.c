#define _GNU_SOURCE
#include "CBaseline.h"

#include <lmdb.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <time.h>

const char *baseline_lmdb_version(void) { return mdb_version(NULL, NULL, NULL); }

const char *baseline_file_system(const char *path) {
  static char number[32];
  struct statfs status;
  if (statfs(path, &status)) return "unknown";
  switch ((unsigned long)status.f_type) {
    case 0xef53: return "ext4";
    case 0x58465342: return "xfs";
    case 0x9123683e: return "btrfs";
    case 0x01021994: return "tmpfs";
    case 0x794c7630: return "overlayfs";
    case 0x2fc12fc1: return "zfs";
  }
  snprintf(number, sizeof number, "0x%lx", (unsigned long)status.f_type);
  return number;
}

const char *baseline_kernel(void) {
  static struct utsname name;
  return uname(&name) ? "unknown" : name.release;
}

size_t baseline_peak_memory(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) ? 0 : (size_t)usage.ru_maxrss * 1024;
}

int64_t baseline_thread_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
