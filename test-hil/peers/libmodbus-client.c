/* A Modbus client by libmodbus, an independent peer for our twins. Commands come on standard input, one on a line; each
 * is answered by one line.
 *
 *   libmodbus-client rtu PATH BAUD UNIT
 *   libmodbus-client tcp HOST PORT UNIT
 *
 *   1|2|3 ADDRESS COUNT          -> ok VALUE...
 *   5|6 ADDRESS VALUE            -> ok
 *   15|16 ADDRESS VALUE...       -> ok
 *   raw BYTE...                  unit, function and data, in hex -> ok BYTE... of the answer from the unit on
 *   bench read|write COUNT       eight coils, one coil -> ok SECONDS CPU_SECONDS P50_US P99_US
 *   anything refused             -> exception NUMBER, or error TEXT */
#include <errno.h>
#include <modbus/modbus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { MOST = 256 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

static double cpu(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void report(int result) {
  if (result >= 0) return;
  if (errno > MODBUS_ENOBASE && errno <= EMBXGTAR)
    printf("exception %d\n", errno - MODBUS_ENOBASE);
  else
    printf("error %s\n", modbus_strerror(errno));
}

static void bench(modbus_t *ctx, const char *what, int count) {
  double *took = malloc(sizeof(double) * count);
  uint8_t bits[8];
  double started = now(), cpu_before = cpu();
  for (int i = 0; i < count; i++) {
    double begun = now();
    int result = strcmp(what, "read") == 0 ? modbus_read_bits(ctx, 0, 8, bits) : modbus_write_bit(ctx, i % 8, i & 8);
    if (result < 0) {
      report(result);
      free(took);
      return;
    }
    took[i] = now() - begun;
  }
  double seconds = now() - started;
  qsort(took, count, sizeof(double), by_size);
  printf("ok %.6f %.6f %.1f %.1f\n", seconds, cpu() - cpu_before, took[count / 2] * 1e6, took[count * 99 / 100] * 1e6);
  free(took);
}

static void command(modbus_t *ctx, char *line) {
  char *words[MOST + 2];
  int count = 0;
  for (char *word = strtok(line, " \n"); word && count < MOST + 2; word = strtok(NULL, " \n")) words[count++] = word;
  if (count == 0) return;
  if (strcmp(words[0], "bench") == 0 && count == 3) {
    bench(ctx, words[1], atoi(words[2]));
    return;
  }
  uint8_t bytes[MOST + MODBUS_TCP_MAX_ADU_LENGTH];
  uint16_t values[MOST];
  if (strcmp(words[0], "raw") == 0) {
    for (int i = 1; i < count; i++) bytes[i - 1] = strtol(words[i], NULL, 16);
    int result = modbus_send_raw_request(ctx, bytes, count - 1);
    if (result >= 0) result = modbus_receive_confirmation(ctx, bytes);
    report(result);
    if (result < 0) return;
    printf("ok");
    for (int i = modbus_get_header_length(ctx) - 1; i < result; i++) printf(" %02X", bytes[i]);
    puts("");
    return;
  }
  int function = atoi(words[0]), address = strtol(words[1], NULL, 0), result = -1, n = count - 2;
  for (int i = 0; i < n; i++) bytes[i] = values[i] = strtol(words[i + 2], NULL, 0);
  errno = EINVAL;
  switch (function) {
    case 1: result = modbus_read_bits(ctx, address, values[0], bytes); break;
    case 2: result = modbus_read_input_bits(ctx, address, values[0], bytes); break;
    case 3: result = modbus_read_registers(ctx, address, values[0], values); break;
    case 5: result = modbus_write_bit(ctx, address, values[0]); break;
    case 6: result = modbus_write_register(ctx, address, values[0]); break;
    case 15: result = modbus_write_bits(ctx, address, n, bytes); break;
    case 16: result = modbus_write_registers(ctx, address, n, values); break;
  }
  report(result);
  if (result < 0) return;
  printf("ok");
  if (function <= 3)
    for (int i = 0; i < result; i++) printf(" %d", function == 3 ? values[i] : bytes[i]);
  puts("");
}

int main(int argc, char **argv) {
  if (argc != 5) {
    fputs("usage: libmodbus-client rtu PATH BAUD UNIT | tcp HOST PORT UNIT\n", stderr);
    return 2;
  }
  modbus_t *ctx = strcmp(argv[1], "tcp") == 0 ? modbus_new_tcp(argv[2], atoi(argv[3]))
                                              : modbus_new_rtu(argv[2], atoi(argv[3]), 'N', 8, 1);
  if (!ctx || modbus_set_slave(ctx, atoi(argv[4])) || modbus_connect(ctx)) {
    fprintf(stderr, "libmodbus-client: %s: %s\n", argv[2], modbus_strerror(errno));
    return 1;
  }
  modbus_set_response_timeout(ctx, 2, 0);
  char line[4096];
  while (fgets(line, sizeof line, stdin)) {
    command(ctx, line);
    fflush(stdout);
  }
  modbus_close(ctx);
  modbus_free(ctx);
  return 0;
}
