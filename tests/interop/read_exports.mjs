// Opens an export of the sample run with programs that are not Heddle and compares it with reference.json.
// usage: node read_exports.mjs gltf|usd SAMPLE_FOLDER      (exit code 77, or 1 with HEDDLE_REQUIRE_TOOLS=1: run `npm ci` in this folder first)
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const kTolerance = 1e-5; // m

function assertClose(found, expected, what) {
  assert.equal(found.length, expected.length, `${what}: number of values`);
  expected.forEach((value, i) =>
    assert.ok(Math.abs(found[i] - value) <= kTolerance, `${what}[${i}]: ${found[i]} instead of ${value}`));
}

async function validateGltf(bytes) {
  const validator = createRequire(import.meta.url)('gltf-validator');
  const report = await validator.validateBytes(bytes, { format: 'glb', maxIssues: 20 });
  assert.equal(report.issues.numErrors + report.issues.numWarnings, 0, JSON.stringify(report.issues, null, 1));
}

/// The positions of all corners that three.js would draw at a time, in Heddle's axes.
function drawnCorners(THREE, node) {
  const corners = [], point = new THREE.Vector3();
  node.updateWorldMatrix(true, true);
  node.traverse((mesh) => {
    if (!mesh.isMesh) return;
    for (const vertex of mesh.geometry.index.array) {
      mesh.getVertexPosition(vertex, point).applyMatrix4(mesh.matrixWorld);
      corners.push(point.x, -point.z, point.y);
    }
  });
  return corners;
}

function expectedCorners(object, positions) {
  return object.triangles.flat().flatMap((corner) => positions.slice(3 * corner, 3 * corner + 3));
}

async function checkGltf(sample, reference) {
  const bytes = readFileSync(join(sample, 'gltf.glb'));
  await validateGltf(new Uint8Array(bytes));
  globalThis.self ??= globalThis; // three.js expects a browser
  const THREE = await import('three');
  const { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js');
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const gltf = await new GLTFLoader().parseAsync(buffer, '');
  const mixer = new THREE.AnimationMixer(gltf.scene);
  const action = mixer.clipAction(gltf.animations[0]);
  action.setLoop(THREE.LoopOnce).clampWhenFinished = true;
  action.play();
  for (const frame of reference.frames) {
    mixer.setTime(frame.time);
    reference.objects.forEach((object, i) => {
      const node = gltf.scene.children[0].children[i];
      assert.equal(node.userData.name ?? node.name, object.name);
      const expected = expectedCorners(object, frame.objects[i].positions);
      assertClose(drawnCorners(THREE, node), expected, `${object.name}, frame ${frame.number}`);
    });
  }
}

/// TinyUSDZ parses the whole language and rejects what is not USD; it is built for browsers only.
async function loadTinyUsd(bytes) {
  process.type = 'renderer';
  globalThis.window = globalThis;
  const { resolve } = createRequire(import.meta.url);
  const wasm = resolve('tinyusdz/tinyusdz.wasm');
  // Its package does not say that it is a module, which older versions of Node.js need to know.
  const folder = mkdtempSync(join(tmpdir(), 'heddle-usd-'));
  copyFileSync(resolve('tinyusdz/tinyusdz.js'), join(folder, 'tinyusdz.mjs'));
  const { default: createModule } = await import(pathToFileURL(join(folder, 'tinyusdz.mjs')));
  rmSync(folder, { recursive: true });
  const module = await createModule({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(readFileSync(wasm), imports).then(({ instance, module: code }) => done(instance, code));
      return {};
    },
  });
  const loader = new module.TinyUSDZLoaderNative();
  assert.ok(loader.loadFromBinary(bytes, 'run.usda'), `TinyUSDZ: ${loader.error()}`);
  return loader;
}

function posedPoints(THREE, points, spec, path, k) {
  const rotation = spec[`${path}.xformOp:orient`].fields.timeSamples.values[k];
  const move = spec[`${path}.xformOp:translate`].fields.timeSamples.values[k];
  const point = new THREE.Vector3(), posed = [];
  for (let i = 0; i < points.length; i += 3) {
    point.fromArray(points, i).applyQuaternion(new THREE.Quaternion(...rotation)).add(new THREE.Vector3(...move));
    posed.push(point.x, point.y, point.z);
  }
  return posed;
}

async function checkUsd(sample, reference) {
  const bytes = readFileSync(join(sample, 'usd.usda'));
  const THREE = await import('three');
  const { USDAParser } = await import('three/examples/jsm/loaders/usd/USDAParser.js');
  const spec = new USDAParser().parseData(bytes.toString()).specsByPath;
  assert.equal(spec['/'].fields.upAxis, 'Z');
  assert.equal(spec['/'].fields.metersPerUnit, 1);
  assert.equal(spec['/'].fields.timeCodesPerSecond, reference.frame_rate);
  const names = spec['/World'].fields.primChildren;
  assert.equal(names.length, reference.objects.length);
  const tiny = await loadTinyUsd(bytes);
  assert.equal(tiny.numMeshes(), names.length);
  reference.objects.forEach((object, i) => {
    const path = `/World/${names[i]}`;
    assert.equal(tiny.getMesh(i).absPath, path);
    assert.deepEqual([...tiny.getMesh(i).faceVertexIndices], object.triangles.flat());
    assert.equal(tiny.getMesh(i).points.length, reference.frames[0].objects[i].positions.length);
    assert.deepEqual(spec[`${path}.faceVertexIndices`].fields.default, object.triangles.flat());
    const points = spec[`${path}.points`].fields;
    reference.frames.forEach((frame, k) => {
      const moves = points.timeSamples !== undefined;
      assert.ok(moves || object.kind === 'obstacle');
      if (moves) assert.equal(points.timeSamples.times[k], frame.number);
      const found = moves ? points.timeSamples.values[k] : posedPoints(THREE, points.default, spec, path, k);
      assertClose(found, frame.objects[i].positions, `${path}, frame ${frame.number}`);
    });
  });
}

const [format, sample] = process.argv.slice(2);
if (!existsSync(new URL('node_modules/three', import.meta.url))) {
  const required = process.env.HEDDLE_REQUIRE_TOOLS === '1';
  console.log(`${required ? 'failed' : 'skipped'}: run \`npm ci\` in tests/interop`);
  process.exit(required ? 1 : 77);
}
const reference = JSON.parse(readFileSync(join(sample, 'reference.json')));
assert.ok(reference.frames.length > 2);
await { gltf: checkGltf, usd: checkUsd }[format](sample, reference);
console.log(`${format}: ${reference.frames.length} frames agree`);
