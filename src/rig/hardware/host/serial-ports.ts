export * from '../../../transports/sysfs/serial-ports.ts';
