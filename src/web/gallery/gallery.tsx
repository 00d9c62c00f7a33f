import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { RequestError } from '../api/request.ts';
import { Button } from '../components/button.tsx';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { Choice, Fact, Field } from '../components/field.tsx';
import { ICON_NAMES, Icon } from '../components/icon.tsx';
import { LimitBar } from '../components/limit-bar.tsx';
import { Message } from '../components/message.tsx';
import { Panel } from '../components/panel.tsx';
import { Plot } from '../components/plot.tsx';
import { RequestMessage } from '../components/request-message.tsx';
import { STATES, StateMark } from '../components/state-mark.tsx';
import { TableFrame } from '../components/table-frame.tsx';
import { Tabs } from '../components/tabs.tsx';
import { Preferences } from '../frame/preferences.tsx';
import { PromptCard } from '../views/run/prompt-card.tsx';

const X = Array.from({ length: 120 }, (_, i) => i / 10);
const Y = X.map((x) => 2 + Math.sin(x));
const OTHER = X.map((x) => 2.2 + Math.sin(x + 0.4));

/** Every component of the page in every state: what is built here is used elsewhere, what looks wrong is mended once. */
export function Gallery() {
  return (
    <main id="content">
      <div class="row">
        <h1>Components</h1>
        <Preferences />
      </div>
      <Buttons />
      <Fields />
      <Section title="Message">
        <Message kind="alarm" actions={<Button>Action</Button>}>
          <strong>alarm: somebody has to act now</strong>
          <p>The sentence names the place, the value and the remedy.</p>
        </Message>
        <Message kind="warning">warning: look at it</Message>
        <Message kind="note">note: nothing to do</Message>
        <RequestMessage
          fault={new RequestError('lease_held', 'the rig is leased to svcctl (pid 4123)', 409)}
          actions={<Button>Try again</Button>}
        />
      </Section>
      <Section title="StateMark">
        <div class="row">
          {STATES.map((state) => (
            <StateMark key={state} state={state} />
          ))}
        </div>
      </Section>
      <Section title="LimitBar">
        {(
          [
            [2, 1, 3, false],
            [3.2, 1, 3, true],
            [9, 1, 3, true],
            [-9, 1, 3, true],
            [2, null, 3, false],
            [2, 1, null, false],
            [null, 1, 3, false],
          ] as const
        ).map(([value, low, high, isFailed]) => (
          <LimitBar key={`${value} ${low} ${high}`} value={value} low={low} high={high} isFailed={isFailed} />
        ))}
      </Section>
      <Section title="Plot">
        <Plot title="AI01 (V)" unit="V" x={X} y={Y} limits={[{ low: 1.2, high: 2.8 }]} />
        <Plot title="Two runs" unit="V" x={X} y={Y} behind={{ x: X, y: OTHER }} limits={[]} />
        <Plot title="No value yet" unit={null} x={[]} y={[]} limits={[]} />
      </Section>
      <Section title="TableFrame">
        <TableFrame label="Example">
          <table>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col" class="number">
                  Value
                </th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <th scope="row">ai01</th>
                <td class="number">0.635 V</td>
              </tr>
              <tr>
                <th scope="row">ai02</th>
                <td class="number">0.755 V</td>
              </tr>
            </tbody>
          </table>
        </TableFrame>
      </Section>
      <Section title="Tabs">
        <Tabs
          label="Example"
          view="rig"
          current="doctor"
          tabs={[
            ['', 'Devices'],
            ['doctor', 'Doctor'],
          ]}
        />
      </Section>
      <Section title="PromptCard">
        {(['confirmation', 'choice', 'value'] as const).map((asks) => (
          <PromptCard
            key={asks}
            runId="r-1"
            prompt={{
              n: 1,
              message: 'Is the strap tight?',
              asks,
              choices: asks === 'choice' ? ['S', 'M', 'L'] : [],
              task: false,
              opened_at: '2025-01-15T10:00:00Z',
              closes_at: asks === 'value' ? '2025-01-15T10:05:00Z' : null,
            }}
          />
        ))}
      </Section>
      <Section title="Icon">
        <div class="row">
          {ICON_NAMES.map((name) => (
            <span key={name}>
              <Icon name={name} /> {name}
            </span>
          ))}
        </div>
      </Section>
    </main>
  );
}

const Section = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <Panel title={title} aside={<span class="mono muted small">src/web</span>}>
    {children}
  </Panel>
);

function Buttons() {
  const [isPressed, setPressed] = useState(true);
  return (
    <Section title="Button">
      <div class="row">
        <Button kind="primary">primary</Button>
        <Button>plain</Button>
        <Button kind="quiet">quiet</Button>
        <Button disabled>disabled</Button>
        <Button pressed={isPressed} onClick={() => setPressed(!isPressed)}>
          pressed
        </Button>
        <Button size="glove">glove</Button>
        <Button size="glove" kind="primary">
          glove, primary
        </Button>
      </div>
      <ConfirmedButton
        question="What happens, and what cannot be taken back."
        yes="Do it"
        onConfirm={() => {}}
      >
        ConfirmedButton
      </ConfirmedButton>
    </Section>
  );
}

function Fields() {
  const [value, setValue] = useState('SN-0042');
  const [choice, setChoice] = useState('b');
  return (
    <Section title="Field, Choice, Fact">
      <div class="row">
        <Field label="Text" value={value} onInput={setValue} hint="A hint below" />
        <Field label="Search" type="search" value="" onInput={() => {}} placeholder="mask" />
        <Field label="Suggestions" value="" onInput={() => {}} suggestions={['Ada', 'Anna']} />
        <Field label="Disabled" value="fixed" onInput={() => {}} disabled />
        <Choice
          label="Choice"
          value={choice}
          onChange={setChoice}
          options={[
            ['a', 'One'],
            ['b', 'Two'],
          ]}
        />
      </div>
      <dl class="facts">
        <Fact name="Started">15 Jan 2025</Fact>
        <Fact name="Operator">Ada</Fact>
      </dl>
    </Section>
  );
}
