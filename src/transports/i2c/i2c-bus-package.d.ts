declare module 'i2c-bus';
