// Preloaded into the bridge: at SIGUSR2 its event loop is busy for ever, as a defect would make it.
if ((process.argv[1] ?? '').endsWith('svc-bridge.cjs'))
  process.on('SIGUSR2', () => {
    for (;;) {}
  });
