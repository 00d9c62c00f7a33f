export * from '../../../transports/sysfs/i2c-buses.ts';
