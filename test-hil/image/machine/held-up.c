/* For QEMU, by LD_PRELOAD: no time passes while the host holds its main thread up behind the end of a wait.
 *
 * With -icount the time of an emulated machine that waits follows the host's clock. Where the host wakes QEMU late, because it is busy
 * or QEMU was stopped, the machine's time would leap by that, over every limit that its programs have set. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL
/* Less than any limit in the machine. What a busy host is late by all the time is left to pass: a machine that waits would be slow. */
#define HARMLESS (SECOND / 20)

static _Atomic long long held_up_ns;

static long long in_ns(const struct timespec *time) { return time->tv_sec * SECOND + time->tv_nsec; }

static int host_time(clockid_t clock, struct timespec *time) {
  static int (*next)(clockid_t, struct timespec *);
  if (next == NULL) next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  return next(clock, time);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = host_time(clock, time);
  if (result != 0 || clock != CLOCK_MONOTONIC) return result;
  long long ns = in_ns(time) - held_up_ns;
  time->tv_sec = ns / SECOND;
  time->tv_nsec = ns % SECOND;
  return 0;
}

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *limit, const sigset_t *mask) {
  static int (*next)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
  if (next == NULL) next = (int (*)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *))dlsym(RTLD_NEXT, "ppoll");
  if (limit == NULL || getpid() != syscall(SYS_gettid)) return next(files, count, limit, mask);
  struct timespec before, after;
  host_time(CLOCK_MONOTONIC, &before);
  int result = next(files, count, limit, mask);
  host_time(CLOCK_MONOTONIC, &after);
  long long late = in_ns(&after) - in_ns(&before) - in_ns(limit);
  if (late > HARMLESS) held_up_ns += late;
  return result;
}
