export * from '../../../transports/sysfs/usb-devices.ts';
