// The page of svc-window: sends dropped images to the service and draws what it answers.

const PART_BYTES = 36 * 1024;
const COLORS = {
  window: '#7a00a0',
  panel: '#8a8a00',
  titlebar: '#a0005a',
  toolbar: '#5a5aa0',
  button: '#d62828',
  icon_button: '#e07000',
  input: '#0a6edc',
  checkbox: '#008c8c',
  text: '#0b8a30',
  link: '#005a5a',
  image: '#9a6a3a',
  tab: '#b04090',
  menu: '#404040',
  change: '#d60078',
};
const CHANGED = COLORS.change;

const byId = (id) => document.getElementById(id);
const canvas = byId('picture');
const drawing = canvas.getContext('2d');
const shown = { first: null, second: null, boxes: [], marked: null };

/** @throws Error with the service's own sentence */
async function call(path, body) {
  const token = byId('token').value;
  const headers = {
    'content-type': 'application/json',
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  };
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error ?? `status ${response.status}`);
  return answer;
}

/** The service reads files, so the image becomes one: in parts, since bodies are small. */
async function upload(file) {
  const place = await call('/v1/window/uploads', {});
  const bytes = new Uint8Array(await file.arrayBuffer());
  for (let offset = 0; offset < bytes.length; offset += PART_BYTES) {
    const part = bytes.subarray(offset, offset + PART_BYTES);
    const data = btoa(String.fromCharCode(...part));
    await call(`/v1/window/uploads/${place.id}`, { offset, data });
    say(`Sending ${file.name}: ${Math.round((100 * (offset + part.length)) / bytes.length)} %`);
  }
  return { ...place, bitmap: await createImageBitmap(file), name: file.name };
}

function say(text, isError = false) {
  byId('message').textContent = text;
  byId('message').className = isError ? 'error' : '';
}

function draw() {
  const image = shown.second ?? shown.first;
  if (!image) return;
  canvas.width = image.bitmap.width;
  canvas.height = image.bitmap.height;
  drawing.drawImage(image.bitmap, 0, 0);
  for (const box of shown.boxes) {
    const [x0, y0, x1, y1] = box.bbox;
    const isMarked = shown.marked === box;
    drawing.strokeStyle = box.color;
    drawing.lineWidth = isMarked ? 4 : 2;
    drawing.strokeRect(x0 + 0.5, y0 + 0.5, x1 - x0 - 1, y1 - y0 - 1);
    if (box.fill || isMarked) {
      drawing.globalAlpha = 0.2;
      drawing.fillStyle = box.color;
      drawing.fillRect(x0, y0, x1 - x0, y1 - y0);
      drawing.globalAlpha = 1;
    }
  }
}

function showTree(elements, title) {
  byId('list-title').textContent = title;
  const tree = byId('tree');
  tree.replaceChildren();
  const lists = new Map([[null, tree]]);
  for (const element of elements) {
    const item = document.createElement('li');
    const line = document.createElement('button');
    const role = document.createElement('span');
    role.className = 'role';
    role.textContent = element.id;
    role.style.setProperty('--role', COLORS[element.role] ?? '#777777');
    const text = document.createElement('span');
    text.className = 'text';
    text.textContent = element.text ? ` ${element.text}` : '';
    line.append(role, text);
    line.title = element.bbox.join(', ');
    const box = shown.boxes.find(({ id }) => id === element.id);
    for (const [event, marked] of [
      ['mouseenter', box],
      ['focus', box],
      ['mouseleave', null],
      ['blur', null],
    ])
      line.addEventListener(event, () => {
        shown.marked = marked;
        draw();
      });
    const children = document.createElement('ul');
    item.append(line, children);
    lists.set(element.id, children);
    (lists.get(element.parent) ?? tree).append(item);
  }
}

async function detect() {
  shown.second = null;
  say('Looking at the image ...');
  const answer = await call('/v1/window/detect', { image: shown.first.path, locale: byId('locale').value });
  shown.boxes = answer.elements.map(({ id, bbox, role }) => ({ id, bbox, color: COLORS[role] ?? '#777777' }));
  showTree(answer.elements, 'Elements');
  byId('description').textContent = answer.description;
  byId('caption').textContent = `${shown.first.name}, ${answer.width} x ${answer.height}`;
  say(`${answer.element_count} elements`);
  draw();
}

async function compare() {
  say('Comparing ...');
  const file = shown.first.program;
  await call('/v1/window/analyze', { image: shown.first.path, file });
  const answer = await call('/v1/window/compare', { image: shown.second.path, file });
  const regions = answer.changed_regions.map(({ bbox, width, height }, index) => ({
    id: `change_${index + 1}`,
    role: 'change',
    bbox,
    parent: null,
    text: `${width} x ${height} px at ${bbox[0]}, ${bbox[1]}`,
  }));
  shown.boxes = regions.map(({ id, bbox }) => ({ id, bbox, color: CHANGED, fill: true }));
  showTree(regions, 'Changed regions');
  byId('description').textContent = JSON.stringify(answer.similarity, null, 2);
  byId('caption').textContent = `${shown.second.name} against ${shown.first.name}`;
  if (answer.match) say('The second image shows the same.');
  else if (!answer.similarity.same_size) say('The images have different sizes.');
  else
    say(`${answer.changed_regions.length} changed region${answer.changed_regions.length === 1 ? '' : 's'}`);
  draw();
}

/** What was shown belongs to an image that is not there any more. */
function clearResult() {
  shown.boxes = [];
  shown.marked = null;
  showTree([], 'Elements');
  byId('description').textContent = '';
  byId('caption').textContent = '';
  drawing.clearRect(0, 0, canvas.width, canvas.height);
}

async function take(file, which) {
  try {
    if (which === 'second' && !shown.first) throw new Error('Drop the first image first.');
    if (which === 'first') shown.first = null;
    shown.second = null;
    clearResult();
    shown[which] = await upload(file);
    await (which === 'first' ? detect() : compare());
  } catch (error) {
    fail(error);
  }
}

/** A message above an old result would be taken for the result of the new image. */
function fail(error) {
  clearResult();
  say(error.message, true);
  draw();
}

for (const which of ['first', 'second']) {
  const zone = byId(`drop-${which}`);
  zone.addEventListener('dragover', (event) => {
    event.preventDefault();
    zone.classList.add('over');
  });
  zone.addEventListener('dragleave', () => zone.classList.remove('over'));
  zone.addEventListener('drop', (event) => {
    event.preventDefault();
    zone.classList.remove('over');
    const [file] = event.dataTransfer.files;
    if (file) void take(file, which);
  });
  zone.querySelector('input').addEventListener('change', (event) => {
    const [file] = event.target.files;
    if (file) void take(file, which);
  });
}
// A picture beside the fields would replace the page.
for (const event of ['dragover', 'drop']) window.addEventListener(event, (one) => one.preventDefault());
byId('locale').addEventListener('change', () => {
  if (shown.first && !shown.second) detect().catch(fail);
});
