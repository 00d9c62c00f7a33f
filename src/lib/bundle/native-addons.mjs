// Lets esbuild bundle packages that look their native add-on up at run time. Each look-up is replaced by a
// static require of the one add-on for the target, and the `copy` loader puts that file beside the bundle.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Machines a bundle can be built for; all with glibc. */
export const targets = ['linux-x64', 'linux-arm64'];

/**
 * One row per package: which import of which package is replaced (`request`, matched as written in the package),
 * where its add-ons lie, and the module that takes the place of the look-up (each of its arguments requires one file).
 */
const packages = [
  {
    name: '@serialport/bindings-cpp',
    request: /^node-gyp-build$/,
    addons: (target) => [
      `@serialport/bindings-cpp/prebuilds/${target}/@serialport+bindings-cpp.${target === 'linux-arm64' ? 'armv8.' : ''}glibc.node`,
    ],
    module: (addon) => `module.exports = () => ${addon};`,
  },
  {
    // Both: hidraw where the kernel gives a node, libusb where another kernel driver owns the device.
    name: 'node-hid',
    request: /^pkg-prebuilds\/bindings$/,
    addons: (target) =>
      ['HID_hidraw', 'HID'].map((name) => `node-hid/prebuilds/${name}-${target}/node-napi-v4.node`),
    module: (hidraw, libusb) =>
      `module.exports = (_, { name }) => (name === 'HID_hidraw' ? ${hidraw} : ${libusb});`,
  },
  {
    name: 'usb',
    request: /^\.\.\/index\.js$/,
    addons: (target) => [`@node-usb/usb-${target}-gnu/usb.${target}-gnu.node`],
    module: (addon) => `module.exports = ${addon};`,
  },
  {
    // The static loader of its own; the file has no other use than to be replaced.
    name: 'koffi',
    request: /^\.\/src\/static\.c?js$/,
    addons: (target) => [`@koromix/koffi-${target}/${target.replace('-', '_')}/koffi.node`],
    module: (addon) => `exports.loadStatic = () => ${addon};`,
  },
  {
    // Its own loader looks for the machine's libc by running programs.
    name: 'libsql',
    request: /^@neon-rs\/load$/,
    addons: (target) => [`@libsql/${target}-gnu/index.node`],
    module: (addon) => `exports.currentTarget = () => ''; exports.load = () => ${addon};`,
  },
  {
    name: '@lydell/node-pty',
    request: /^\.\/requireBinary$/,
    addons: (target) => [`@lydell/node-pty-${target}/pty.node`],
    module: (addon) => `exports.requireBinary = () => ${addon};`,
  },
  {
    // Compiled for one Node major version, not shipped: a machine without a compiler has none.
    name: 'i2c-bus',
    request: /^bindings$/,
    addons: () => ['i2c-bus/build/Release/i2c.node'],
    module: (addon) => `module.exports = () => ${addon};`,
    optional: true,
    remedy:
      'compile it with `npm rebuild i2c-bus --ignore-scripts=false` (needs g++, make and python3) and build again',
  },
];

/** `install` names the way to get a platform package that npm leaves out on other machines. */
const installRemedy = (target) =>
  `install with \`npm ci --os=linux --cpu=${target.split('-')[1]} --libc=glibc\` into another folder and pass its ` +
  'node_modules with --modules';

/**
 * @param {object} options
 * @param {string} options.target one of `targets`
 * @param {string[]} options.modules `node_modules` folders to take add-ons from, the first that has it wins
 * @returns {import('esbuild').Plugin} A missing add-on fails the build; a missing optional one warns, and its
 *   require fails when it is used.
 */
export function nativeAddons({ target, modules }) {
  if (!targets.includes(target)) {
    throw new Error(`no add-ons are known for target "${target}": use one of ${targets.join(', ')}`);
  }
  const find = (path) => modules.map((folder) => join(folder, path)).find((file) => existsSync(file));

  return {
    name: 'native-addons',
    setup(build) {
      for (const row of packages) {
        const inside = new RegExp(`/node_modules/${row.name}/`);
        build.onResolve({ filter: row.request }, ({ importer }) => {
          if (!inside.test(importer)) return;
          const wanted = row.addons(target);
          const files = wanted.map(find);
          const absent = wanted.filter((_, index) => !files[index]);
          const missing = `${row.name}: no add-on ${absent.join(', ')} for ${target}`;
          const remedy = row.remedy ?? installRemedy(target);
          if (absent.length > 0 && !row.optional) return { errors: [{ text: `${missing}; ${remedy}` }] };
          const addons = files.map((file) =>
            file ? `require(${JSON.stringify(file)})` : thrower(`${missing}; ${remedy}`),
          );
          return {
            path: `${row.name}@${target}`,
            namespace: 'native-addon',
            pluginData: { resolveDir: dirname(importer), contents: row.module(...addons) },
            ...(absent.length > 0 ? { warnings: [{ text: `${missing}; its use will fail` }] } : {}),
          };
        });
      }
      build.onLoad({ filter: /.*/, namespace: 'native-addon' }, ({ pluginData }) => ({
        ...pluginData,
        loader: 'js',
      }));

      // An optional package may not be installed at all.
      for (const { name, remedy } of packages.filter((row) => row.optional)) {
        build.onResolve({ filter: new RegExp(`^${name}$`) }, ({ resolveDir }) => {
          if (isInstalled(name, resolveDir)) return;
          const missing = `${name}: not installed when this program was built`;
          return {
            path: name,
            namespace: 'native-addon',
            pluginData: { contents: `${thrower(`${missing}; ${remedy}`)};` },
            warnings: [{ text: `${name} is not installed; its use will fail` }],
          };
        });
      }

      // Windows halves that a Linux target never runs.
      build.onResolve({ filter: /^\.\/windowsTerminal$/ }, ({ importer }) =>
        importer.includes('/node_modules/@lydell/node-pty/')
          ? { path: 'windowsTerminal', namespace: 'native-addon', pluginData: { contents: '' } }
          : undefined,
      );
    },
  };
}

const thrower = (message) => `(() => { throw new Error(${JSON.stringify(message)}); })()`;

function isInstalled(name, folder) {
  try {
    createRequire(join(folder, 'x.js')).resolve(name);
    return true;
  } catch {
    return false;
  }
}
