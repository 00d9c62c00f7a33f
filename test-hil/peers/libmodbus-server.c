/* A Modbus server by libmodbus, an independent peer for our masters.
 *
 *   libmodbus-server rtu UNIT [PATH]   without PATH at a new pseudo-terminal
 *   libmodbus-server tcp UNIT          at a free port of 127.0.0.1, one client after the other
 *
 * Prints the path or the port on one line when it can be used. 16 coils, inputs and registers; input n is on when n is
 * a multiple of 3, register n holds 0x0100 * n + 0x5A at first. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <modbus/modbus.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

enum { POINTS = 16 };

static void die(const char *what) {
  fprintf(stderr, "libmodbus-server: %s: %s\n", what, modbus_strerror(errno));
  exit(1);
}

/* The line's other side stays open here, so that clients may come and go. */
static void announce_terminal(int fd) {
  if (grantpt(fd) || unlockpt(fd)) die("pseudo-terminal");
  int keeper = open(ptsname(fd), O_RDWR | O_NOCTTY);
  struct termios raw;
  if (keeper < 0 || tcgetattr(keeper, &raw)) die(ptsname(fd));
  cfmakeraw(&raw);
  tcsetattr(keeper, TCSANOW, &raw);
  puts(ptsname(fd));
  fflush(stdout);
}

static void serve(modbus_t *ctx, modbus_mapping_t *map) {
  uint8_t query[MODBUS_TCP_MAX_ADU_LENGTH];
  for (;;) {
    int length = modbus_receive(ctx, query);
    if (length > 0) {
      modbus_reply(ctx, query, length, map);
      continue;
    }
    if (length == 0) continue; /* for another unit */
    if (errno == ECONNRESET || errno == EPIPE || errno == EBADF) return;
    modbus_flush(ctx); /* a frame that cannot be used */
  }
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fputs("usage: libmodbus-server rtu|tcp UNIT [PATH]\n", stderr);
    return 2;
  }
  int is_tcp = strcmp(argv[1], "tcp") == 0;
  modbus_mapping_t *map = modbus_mapping_new(POINTS, POINTS, POINTS, POINTS);
  for (int n = 0; n < POINTS; n++) {
    map->tab_input_bits[n] = n % 3 == 0;
    map->tab_registers[n] = 0x0100 * n + 0x5A;
  }

  if (!is_tcp) {
    const char *path = argc > 3 ? argv[3] : "/dev/ptmx";
    modbus_t *ctx = modbus_new_rtu(path, 19200, 'N', 8, 1);
    if (!ctx || modbus_set_slave(ctx, atoi(argv[2])) || modbus_connect(ctx)) die(path);
    if (argc > 3) {
      puts(path);
      fflush(stdout);
    } else {
      announce_terminal(modbus_get_socket(ctx));
    }
    serve(ctx, map);
    return 0;
  }

  modbus_t *ctx = modbus_new_tcp("127.0.0.1", 0);
  if (!ctx || modbus_set_slave(ctx, atoi(argv[2]))) die("tcp");
  int listener = modbus_tcp_listen(ctx, 1);
  struct sockaddr_in address;
  socklen_t size = sizeof address;
  if (listener < 0 || getsockname(listener, (struct sockaddr *)&address, &size)) die("listen");
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  for (;;) {
    if (modbus_tcp_accept(ctx, &listener) < 0) die("accept");
    serve(ctx, map);
    modbus_close(ctx);
  }
}
