/* For QEMU, by LD_PRELOAD: no time passes while the host holds it up.
 *
 * With -icount the time of an emulated machine that waits follows the host's clock. Where the host wakes QEMU late, because it is busy
 * or QEMU was stopped, the machine's time would leap by that, over every limit that its programs have set.
 *
 * A thread beats every 10 ms. The clock that QEMU reads goes no further than 50 ms past a beat, whichever thread reads it and whatever
 * it did while QEMU was held up; it goes on from there with the next beat. Where only the main thread is woken late, the beats go on:
 * what its wait was late by is taken back. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL
#define BEAT (SECOND / 100)
/* Less than any limit in the machine. What a busy host is late by all the time is left to pass: a machine that waits would be slow. */
#define HARMLESS (SECOND / 20)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Of the last beat: by the host's clock, and what QEMU reads at it. */
static long long host_ns, qemu_ns;

static int host_time(clockid_t clock, struct timespec *time) {
  static int (*next)(clockid_t, struct timespec *);
  if (next == NULL) next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  return next(clock, time);
}

static long long in_ns(const struct timespec *time) { return time->tv_sec * SECOND + time->tv_nsec; }

static long long host_now(void) {
  struct timespec time;
  host_time(CLOCK_MONOTONIC, &time);
  return in_ns(&time);
}

/* Under the lock. */
static long long qemu_now(long long now) {
  long long since = now - host_ns;
  return qemu_ns + (since < HARMLESS ? since : HARMLESS);
}

static long long read_qemu(void) {
  pthread_mutex_lock(&lock);
  long long now = qemu_now(host_now());
  pthread_mutex_unlock(&lock);
  return now;
}

static void *beats(void *nothing) {
  struct timespec pause = {0, BEAT};
  for (;;) {
    pthread_mutex_lock(&lock);
    long long now = host_now();
    qemu_ns = qemu_now(now);
    host_ns = now;
    pthread_mutex_unlock(&lock);
    clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
  }
  return nothing;
}

__attribute__((constructor)) static void begin(void) {
  host_ns = qemu_ns = host_now();
  sigset_t all, before;
  sigfillset(&all);
  /* QEMU's signals are for its own threads. */
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  if (pthread_create(&thread, NULL, beats, NULL) != 0) abort();
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (clock != CLOCK_MONOTONIC) return host_time(clock, time);
  long long now = read_qemu();
  time->tv_sec = now / SECOND;
  time->tv_nsec = now % SECOND;
  return 0;
}

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *limit, const sigset_t *mask) {
  static int (*next)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
  if (next == NULL) next = (int (*)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *))dlsym(RTLD_NEXT, "ppoll");
  if (limit == NULL || getpid() != syscall(SYS_gettid)) return next(files, count, limit, mask);
  long long before = read_qemu();
  int result = next(files, count, limit, mask);
  pthread_mutex_lock(&lock);
  long long late = qemu_now(host_now()) - before - in_ns(limit);
  if (late > HARMLESS) qemu_ns -= late;
  pthread_mutex_unlock(&lock);
  return result;
}
