/* A Modbus RTU board with eight coils that fails in every way its author could think of. It shares nothing with the twins
 * of this project: an independent peer for the master.
 *
 *   nasty-slave BAUD UNIT SEED SCALE
 *
 * Prints the path of a new pseudo-terminal. A request counts as heard when a line of BAUD (8N1) can have carried it; each
 * byte of a reply is handed over when that line can have carried it, never before, except by the fault "early". All delays
 * of faults are multiplied by SCALE. Commands on standard input, each answered by one line:
 *
 *   share 0.2            of the requests get a fault             -> ok
 *   only KIND...         faults of these kinds alone; none: all  -> ok
 *   move COIL 0|1        as by hand                              -> ok
 *   truth                                                        -> truth COILS REQUESTS (coils as one hex byte)
 *
 * Before bytes of an early reply are handed over: early MS. A slave that is held up may be later than it means to be.
 *
 * Each fault is told when its request is heard: fault KIND MS (MS of CLOCK_MONOTONIC). Kinds that no master can find out
 * by one well-formed reply in time are marked: fault KIND MS undetectable. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { COILS = 8, MOST = 260, QUEUE = 8192, MODES = 0x1000, ALL = 0xFF };

/* The first is no fault; from previous_alike on a single reply does not show them. */
#define KINDS(X) \
  X(none) X(no_reply) X(deaf) X(late) X(very_late) X(early) X(early_only) X(repeated) X(doubled) X(truncated) X(extra_before) \
  X(extra_after) X(bad_crc) X(wrong_unit) X(wrong_function) X(wrong_echo) X(other_count) X(wrong_byte_count) X(exception) \
  X(late_exception) X(split) X(noise_after) X(noise_before) X(stuck_echo) X(previous) X(held_back) X(repeated_late) \
  X(previous_alike) X(one_coil) X(inverted)
#define ENUM(name) K_##name,
#define NAME(name) #name,
enum kind { KINDS(ENUM) KIND_COUNT };
static const char *const names[] = { KINDS(NAME) };
static const int first_undetectable = K_previous_alike;

typedef struct { double due; uint8_t byte, is_early; } out_t;
typedef struct { uint8_t bytes[MOST]; int length; } frame_t;

static double character, scale, share;
static int unit, terminal;
static uint64_t seed;
static uint8_t coils, coils_before;
static long requests;
static int allowed[KIND_COUNT];
static out_t queue[QUEUE];
static int queued, sending_early;
static double busy_until;
static frame_t last_reply, held;
static int last_was_read;

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static double uniform(void) { /* xorshift64*: 0 to below 1 */
  seed ^= seed >> 12;
  seed ^= seed << 25;
  seed ^= seed >> 27;
  return ((seed * 2685821657736338717ULL) >> 11) / 9007199254740992.0;
}
static double between(double low, double high) { return low + (high - low) * uniform(); }
static int below(int count) { return (int)(uniform() * count); }

static uint16_t crc_of(const uint8_t *bytes, int length) {
  uint16_t crc = 0xFFFF;
  for (int i = 0; i < length; i++) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0xA001 : crc >> 1;
  }
  return crc;
}
static void add(frame_t *f, int byte) { f->bytes[f->length++] = (uint8_t)byte; }
static void close_frame(frame_t *f) {
  uint16_t crc = crc_of(f->bytes, f->length);
  add(f, crc & 0xFF);
  add(f, crc >> 8);
}
/* The frame with other contents and a CRC that fits them. */
static void reclose(frame_t *f) {
  f->length -= 2;
  close_frame(f);
}

/* One device drives the line: what is sent while it still sends something else follows that. */
static void send_at(double start, const uint8_t *bytes, int length) {
  if (start < busy_until) start = busy_until;
  busy_until = start + length * character;
  if (queued + length > QUEUE) return;
  int at = queued;
  while (at > 0 && queue[at - 1].due > start + character) at--;
  memmove(queue + at + length, queue + at, (queued - at) * sizeof *queue);
  for (int i = 0; i < length; i++) queue[at + i] = (out_t){start + (i + 1) * character, bytes[i], sending_early};
  queued += length;
}
static void send_frame(double start, const frame_t *f) { send_at(start, f->bytes, f->length); }
/* Later, when the line is free by then or not: does not hold up what comes before it. */
static void send_later(double start, const frame_t *f) {
  double busy = busy_until;
  busy_until = 0;
  send_frame(start, f);
  busy_until = busy;
}

static void act(const uint8_t *q) {
  int address = q[2] << 8 | q[3];
  uint8_t before = coils;
  if (q[1] == 5) {
    uint8_t mask = address == ALL ? 0xFF : (uint8_t)(1 << address);
    coils = q[4] ? coils | mask : coils & ~mask;
  } else if (q[1] == 15) {
    int count = q[4] << 8 | q[5];
    for (int i = 0; i < count; i++) {
      uint8_t mask = (uint8_t)(1 << (address + i));
      coils = q[7 + i / 8] >> (i % 8) & 1 ? coils | mask : coils & ~mask;
    }
  }
  if (coils != before) coils_before = before;
}

static frame_t refusal(const uint8_t *q, int code) {
  frame_t f = {.length = 0};
  add(&f, unit);
  add(&f, q[1] | 0x80);
  add(&f, code);
  close_frame(&f);
  return f;
}

/* The reply that is due to the request, from `state`; `valid` says whether the board does what it is asked. */
static frame_t reply_to(const uint8_t *q, uint8_t state, int *valid) {
  int address = q[2] << 8 | q[3], count = q[4] << 8 | q[5];
  frame_t f = {.length = 0};
  *valid = 0;
  add(&f, unit);
  add(&f, q[1]);
  switch (q[1]) {
    case 1:
    case 2:
      if (count < 1 || address + count > COILS) return refusal(q, 2);
      add(&f, 1);
      add(&f, q[1] == 2 ? 0 : (state >> address) & ((1 << count) - 1));
      break;
    case 3:
      if (address < MODES || count < 1 || address + count > MODES + 8) return refusal(q, 2);
      add(&f, 2 * count);
      for (int i = 0; i < 2 * count; i++) add(&f, 0);
      break;
    case 5:
      if (address != ALL && address >= COILS) return refusal(q, 2);
      if ((q[4] != 0xFF && q[4] != 0) || q[5] != 0) return refusal(q, 3);
      for (int i = 2; i < 6; i++) add(&f, q[i]);
      break;
    case 15:
      if (count < 1 || address + count > COILS) return refusal(q, 2);
      for (int i = 2; i < 6; i++) add(&f, q[i]);
      break;
    default:
      return refusal(q, 1);
  }
  *valid = 1;
  close_frame(&f);
  return f;
}

static enum kind draw(int is_read, int is_write, int alike) {
  for (int tries = 0; tries < 1000; tries++) {
    enum kind k = 1 + below(KIND_COUNT - 1);
    if (!allowed[k]) continue;
    if ((k == K_wrong_echo || k == K_stuck_echo) && !is_write) continue;
    if ((k == K_other_count || k == K_wrong_byte_count || k == K_one_coil || k == K_inverted) && !is_read) continue;
    if (k == K_previous && (alike || last_reply.length == 0)) continue;
    if (k == K_previous_alike && !alike) continue;
    return k;
  }
  return K_none;
}

/* The master has just written the request: what goes wrong with it, and what comes before the line has carried it. */
static enum kind begin(const uint8_t *q, int length, double first) {
  int valid, is_write = q[1] == 5 || q[1] == 15, is_read = q[1] == 1;
  enum kind kind = uniform() < share ? draw(is_read, is_write, is_read && last_was_read) : K_none;
  requests++;
  if (kind == K_none) return kind;
  printf("fault %s %.3f%s\n", names[kind], now_ms(), (int)kind >= first_undetectable ? " undetectable" : "");
  fflush(stdout);
  if (kind == K_early || kind == K_early_only) { /* what it would have said before */
    frame_t old = reply_to(q, coils_before, &valid);
    double whole = (length + 3.5) * character;
    sending_early = 1;
    send_later(first + between(-old.length * character, 0.9 * whole - old.length * character), &old);
    sending_early = 0;
  }
  return kind;
}

static void answer(const uint8_t *q, enum kind kind, double heard) {
  int valid, is_write = q[1] == 5 || q[1] == 15, is_read = q[1] == 1;
  if (kind == K_deaf) return;
  (void)reply_to(q, coils, &valid);
  if (valid && is_write && kind != K_stuck_echo && kind != K_exception) act(q);
  frame_t f = reply_to(q, coils, &valid), was = last_reply, spoilt = f;
  /* 3.5 characters tell the end of the request; then it thinks. */
  double start = heard + 3.5 * character + between(0.2, 6) * (scale < 1 ? 0.5 : 1);
  double next = start + f.length * character;
  last_reply = f;
  last_was_read = is_read;
  if (held.length > 0) { /* the reply before this one comes now, and this one behind it */
    send_frame(start, &held);
    held.length = 0;
    start += between(6, 50) * scale;
  }
  uint8_t noise[8];
  for (int i = 0; i < 8; i++) noise[i] = (uint8_t)below(256);
  int cut = 1 + below(f.length - 1), some = 1 + below(4);

  switch (kind) {
    case K_no_reply: return;
    case K_late: send_later(start + between(600, 3000) * scale, &f); return;
    case K_very_late: send_later(start + between(3000, 9000) * scale, &f); return;
    case K_early_only: return;
    case K_repeated:
      send_frame(start, &f);
      send_later(next + between(4, 400) * scale, &f);
      return;
    case K_repeated_late: /* twice, and the copy after the next fault's quiet time */
      send_frame(start, &f);
      send_later(next + between(400, 690) * scale, &f);
      return;
    case K_doubled:
      send_frame(start, &f);
      send_frame(start, &f);
      return;
    case K_truncated: send_at(start, f.bytes, cut); return;
    case K_extra_before:
      send_at(start, noise, some);
      break;
    case K_extra_after:
      send_frame(start, &f);
      send_at(start, noise, some);
      return;
    case K_bad_crc: spoilt.bytes[below(f.length)] ^= (uint8_t)(1 << below(8)); break;
    case K_wrong_unit: spoilt.bytes[0] = (uint8_t)(unit + 1 + below(240)); reclose(&spoilt); break;
    case K_wrong_function: spoilt.bytes[1] = q[1] == 1 ? 2 : 1; reclose(&spoilt); break;
    case K_wrong_echo: spoilt.bytes[2 + below(3)] ^= 1; reclose(&spoilt); break;
    case K_other_count:
      spoilt.bytes[2] = 2;
      spoilt.length -= 2;
      add(&spoilt, 0);
      close_frame(&spoilt);
      break;
    case K_wrong_byte_count: spoilt.bytes[2] = (uint8_t)(2 + below(6)); reclose(&spoilt); break;
    case K_exception: spoilt = refusal(q, 1 + below(4)); break;
    case K_late_exception: spoilt = refusal(q, 1 + below(4)); send_later(start + between(600, 3000) * scale, &spoilt); return;
    case K_split:
      send_at(start, f.bytes, cut);
      send_at(busy_until + between(2, 60) * scale, f.bytes + cut, f.length - cut);
      return;
    case K_noise_after:
      send_frame(start, &f);
      spoilt.length = some;
      memcpy(spoilt.bytes, noise, 8);
      send_later(next + between(1, 100) * scale, &spoilt);
      return;
    case K_noise_before:
      send_at(heard, noise, some);
      start += between(2, 30) * scale;
      break;
    case K_previous:
    case K_previous_alike: spoilt = was; break;
    case K_held_back: held = f; return;
    case K_one_coil: spoilt.bytes[3] &= 1; reclose(&spoilt); break;
    case K_inverted: spoilt.bytes[3] ^= 0xFF; reclose(&spoilt); break;
    default: break;
  }
  send_frame(start, &spoilt);
}

static void command(char *line) {
  char *word = strtok(line, " \n");
  if (!word) return;
  if (strcmp(word, "truth") == 0) {
    printf("truth %02x %ld\n", coils, requests);
  } else if (strcmp(word, "share") == 0) {
    char *value = strtok(NULL, " \n");
    share = value ? atof(value) : 0;
    puts("ok");
  } else if (strcmp(word, "move") == 0) {
    char *coil = strtok(NULL, " \n"), *on = strtok(NULL, " \n");
    uint8_t mask = (uint8_t)(1 << (coil ? atoi(coil) : 0)), before = coils;
    coils = on && atoi(on) ? coils | mask : coils & ~mask;
    if (coils != before) coils_before = before;
    puts("ok");
  } else if (strcmp(word, "only") == 0) {
    char *name = strtok(NULL, " \n");
    for (int k = 1; k < KIND_COUNT; k++) allowed[k] = name == NULL;
    for (; name; name = strtok(NULL, " \n"))
      for (int k = 1; k < KIND_COUNT; k++)
        if (strcmp(names[k], name) == 0) allowed[k] = 1;
    puts("ok");
  }
  fflush(stdout);
}

/* Bytes of a whole request; 0 while that cannot be told. */
static int request_length(const uint8_t *q, int have) {
  if (have < 2) return 0;
  if (q[1] >= 1 && q[1] <= 6) return 8;
  if (q[1] == 15 || q[1] == 16) return have < 7 ? 0 : 9 + q[6];
  return 0;
}

static int open_terminal(void) {
  int fd = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK);
  if (fd < 0 || grantpt(fd) || unlockpt(fd)) return -1;
  /* The line's other side stays open here, so that the master may come and go. */
  int keeper = open(ptsname(fd), O_RDWR | O_NOCTTY);
  struct termios raw;
  if (keeper < 0 || tcgetattr(keeper, &raw)) return -1;
  cfmakeraw(&raw);
  tcsetattr(keeper, TCSANOW, &raw);
  puts(ptsname(fd));
  fflush(stdout);
  return fd;
}

int main(int argc, char **argv) {
  if (argc != 5) {
    fputs("usage: nasty-slave BAUD UNIT SEED SCALE\n", stderr);
    return 2;
  }
  prctl(PR_SET_TIMERSLACK, 20000UL); /* 20 us */
  character = 10e3 / atof(argv[1]);
  unit = atoi(argv[2]);
  seed = strtoull(argv[3], NULL, 10) * 2654435761ULL + 88172645463325252ULL;
  scale = atof(argv[4]);
  for (int k = 1; k < KIND_COUNT; k++) allowed[k] = 1;
  terminal = open_terminal();
  if (terminal < 0) {
    perror("nasty-slave: pseudo-terminal");
    return 1;
  }

  uint8_t request[MOST];
  int have = 0, text = 0;
  double first = 0, last = 0, heard = 0;
  int pending = 0;
  enum kind kind = K_none;
  char line[1024];
  for (;;) {
    double now = now_ms(), wake = now + 1000;
    int due = 0;
    while (due < queued && queue[due].due <= now) due++;
    if (due > 0) {
      uint8_t bytes[QUEUE];
      int is_early = 0;
      for (int i = 0; i < due; i++) {
        bytes[i] = queue[i].byte;
        is_early |= queue[i].is_early;
      }
      if (is_early) printf("early %.3f\n", now_ms());
      if (is_early) fflush(stdout);
      if (write(terminal, bytes, due) < 0 && errno != EAGAIN) return 1;
      memmove(queue, queue + due, (queued - due) * sizeof *queue);
      queued -= due;
    }
    if (pending && now >= heard) {
      pending = 0;
      answer(request, kind, heard);
      have = 0;
      continue;
    }
    if (have > 0 && !pending && now - last > 50) have = 0;
    if (queued > 0) { /* a burst is handed over in lumps of at most 2 ms */
      int end = 0;
      while (end + 1 < queued && queue[end + 1].due - queue[end].due < 2 * character + 0.01) end++;
      wake = queue[end].due < queue[0].due + 2 ? queue[end].due : queue[0].due + 2;
    }
    if (pending && heard < wake) wake = heard;
    double wait = wake > now ? wake - now : 0;
    struct timespec patience = {(time_t)(wait / 1000), (long)((wait - 1000 * (long)(wait / 1000)) * 1e6)};
    struct pollfd polled[2] = {{terminal, POLLIN, 0}, {0, POLLIN, 0}};
    if (ppoll(polled, 2, &patience, NULL) < 0 && errno != EINTR) return 1;
    if (polled[1].revents) {
      char c;
      if (read(0, &c, 1) <= 0) return 0;
      if (text < (int)sizeof line - 1) line[text++] = c;
      if (c == '\n') {
        line[text] = 0;
        text = 0;
        command(line);
      }
    }
    if (polled[0].revents & POLLIN && !pending) {
      int room = MOST - have, got = (int)read(terminal, request + have, room);
      if (got <= 0) continue;
      last = now_ms();
      if (have == 0) first = last;
      have += got;
      int length = request_length(request, have);
      if (length == 0 || have < length) continue;
      uint16_t crc = crc_of(request, length - 2);
      int good = request[length - 2] == (crc & 0xFF) && request[length - 1] == crc >> 8;
      if (!good || request[0] != unit || have > length) {
        have = 0;
        continue;
      }
      kind = begin(request, length, first);
      heard = first + length * character;
      pending = 1;
    }
  }
}
