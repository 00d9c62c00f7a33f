import { spawnSync } from 'node:child_process';
import { createReadStream, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createGunzip, gzipSync } from 'node:zlib';
import { extract, type Header, pack } from 'tar-stream';
import * as assert from 'uvu/assert';
import { rigKeyOf } from '../../scenario/records/rig-key.ts';
import { atPlace, type RecordPlace } from '../../test-kit/scenario/sample-run.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('svcctl runs export and import');
const root = fileURLToPath(new URL(import.meta.url)).replace(/(src|node_modules)\/.*$/, '');

function runs(place: RecordPlace, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'dist/svcctl.cjs'), 'runs', ...args],
    {
      cwd: place.stateDir,
      env: { PATH: process.env.PATH ?? '', SVC_STATE_DIR: place.stateDir },
      encoding: 'utf8',
    },
  );
  return { status, stdout, stderr };
}

type Entries = Record<string, Buffer>;

async function entriesOf(path: string): Promise<Entries> {
  const entries: Entries = {};
  const archive = extract();
  const done = pipeline(createReadStream(path), createGunzip(), archive);
  for await (const entry of archive) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    entries[entry.header.name] = Buffer.concat(chunks);
  }
  await done;
  return entries;
}

async function write(
  path: string,
  entries: readonly (readonly [Partial<Header> & { name: string }, Buffer])[],
) {
  const archive = pack();
  for (const [header, content] of entries) archive.entry(header, content);
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(chunk as Buffer);
  writeFileSync(path, gzipSync(Buffer.concat(chunks)));
}

test('REC-003 an exported run is imported elsewhere byte by byte and verifies there', () =>
  atPlace(async (place) => {
    const { identity } = await place.run(place.store());
    const id = identity.run_id;
    const exported = runs(place, 'export', id);
    assert.equal([exported.status, exported.stdout], [0, ''], exported.stderr);
    const archive = join(place.stateDir, `${id}.tar.gz`);
    const entries = await entriesOf(archive);
    assert.match(String(entries[`${id}.html`]), '<!DOCTYPE html>');
    const directory = join(place.stateDir, 'runs', id);
    for (const file of readdirSync(directory))
      assert.ok(entries[`${id}/${file}`]?.equals(readFileSync(join(directory, file))), file);
    assert.is(runs(place, 'import', archive).stderr, `${directory} is there already\n`);
    await atPlace((other) => {
      const imported = runs(other, 'import', archive, '--into', 'theirs');
      assert.is(imported.status, 0, imported.stderr);
      const { rig_id } = identity.station ?? {};
      assert.match(imported.stderr, `sealed by ${rig_id}, key ${identity.key?.fingerprint}`);
      const keyless = runs(other, 'import', archive);
      assert.is(keyless.status, 2, 'the own records of a rig whose key is not known take none');
      assert.match(keyless.stderr, 'cannot be read: name another folder with --into');
      assert.equal(readdirSync(join(other.stateDir, 'theirs/runs')), [id]);
      rigKeyOf(other.stateDir);
      const own = runs(other, 'import', archive);
      assert.is(own.status, 2, 'records of another rig do not go among its own');
      assert.match(own.stderr, `${id} is of ${identity.station?.rig_id}`);
      assert.equal(readdirSync(join(other.stateDir, 'runs')), []);
    });
  }));

test('REC-003 a changed, hostile or damaged archive is refused with its reason and leaves nothing', () =>
  atPlace(async (place) => {
    const store = place.store();
    const id = (await place.run(store)).identity.run_id;
    const other = (await place.run(store)).identity.run_id;
    runs(place, 'export', id);
    const whole = await entriesOf(join(place.stateDir, `${id}.tar.gz`));
    const files = Object.entries(whole).map(([name, content]) => [{ name }, content] as const);
    const changed = files.map(([header, content]) =>
      header.name.endsWith('result.json')
        ? ([header, Buffer.from(String(content).replace('"passed":1', '"passed":2'))] as const)
        : ([header, content] as const),
    );
    const bad = join(place.stateDir, 'bad.tar.gz');
    const attempt = (reason: RegExp, status: number) => {
      const { status: found, stderr, stdout } = runs(place, 'import', 'bad.tar.gz', '--into', 'into');
      assert.match(stderr, reason);
      assert.equal([found, stdout], [status, ''], stderr);
      assert.equal(readdirSync(join(place.stateDir, 'into/runs')), []);
    };
    await write(bad, changed);
    attempt(/the record was changed: result\.json: it was changed/, 1);
    await write(
      bad,
      files.filter(([{ name }]) => !name.endsWith('seal.json')),
    );
    attempt(/seal\.json: it is missing/, 1);
    const unnamed = files.flatMap(([header, content]) => {
      if (header.name.endsWith('seal.json')) return [];
      if (!header.name.endsWith('run.json')) return [[header, content] as const];
      const file = JSON.parse(String(content));
      return [[header, Buffer.from(JSON.stringify({ ...file, events: null, ending: null }))] as const];
    });
    await write(bad, unnamed);
    attempt(/is not a record of a run that has ended/, 1);
    await write(bad, [...files, [{ name: `${id}/keep` }, Buffer.alloc(0)]]);
    attempt(/it has the file keep/, 1);
    const old = await place.run(place.store());
    place.makeOld(old.identity.run_id);
    const oldFolder = join(place.stateDir, 'runs', old.identity.run_id);
    const oldFiles = readdirSync(oldFolder).map(
      (name) => [{ name: `${old.identity.run_id}/${name}` }, readFileSync(join(oldFolder, name))] as const,
    );
    await write(bad, oldFiles);
    attempt(/is not imported: seal\.json: it is missing: the record is NOT SEALED/, 1);
    assert.match(runs(place, 'export', old.identity.run_id).stderr, 'NOT SEALED');
    await write(bad, [...files, [{ name: `${id}/../../../outside` }, Buffer.from('x')]]);
    attempt(/it has the path/, 3);
    await write(bad, [...files, [{ name: '/tmp/outside' }, Buffer.from('x')]]);
    attempt(/it has the path/, 3);
    await write(bad, [
      [{ name: `${id}/run.json`, type: 'symlink', linkname: '/etc/passwd' }, Buffer.alloc(0)],
    ]);
    attempt(/is a symlink, not a file/, 3);
    await write(bad, [...files, [{ name: `${other}/run.json` }, Buffer.from('x')]]);
    attempt(/it has two runs/, 3);
    await write(bad, [[{ name: 'readme' }, Buffer.from('x')]]);
    attempt(/it has no record of a run/, 3);
    writeFileSync(bad, 'no archive');
    attempt(/is not an exported run/, 3);
    const good = readFileSync(join(place.stateDir, `${id}.tar.gz`));
    writeFileSync(bad, good.subarray(0, good.length / 2));
    attempt(/is not an exported run/, 3);
    assert.not.ok(existsSync(join(place.stateDir, 'outside')));
    assert.is(runs(place, 'import', 'nothing.tar.gz').status, 2);
  }));

test.run();
