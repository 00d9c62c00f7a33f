import { useEffect, useRef, useState } from 'preact/hooks';
import type { RigAnswer } from '../../../services/server/routes/rig.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { Panel } from '../../components/panel.tsx';
import { RequestMessage } from '../../components/request-message.tsx';
import { isStale } from '../../live/state.ts';
import { messages } from '../../messages/index.ts';
import { station } from '../../run/station.ts';
import { ManualLease } from './manual-lease.ts';

type Peripheral = NonNullable<RigAnswer['peripherals']>[number];

const PUMP_START = '10';

interface ManualControlProps {
  /** Empty while nothing is known of them. */
  peripherals: readonly Peripheral[];
  /** After each command. */
  onCommand: () => void;
}

/** One actuator at a time: switching on another one switches off the one before. Leaving the view makes the rig safe. */
export function ManualControl({ peripherals, onCommand }: ManualControlProps) {
  const text = messages.value.rig;
  const [lease, setLease] = useState<ManualLease>();
  const [fault, setFault] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const [power, setPower] = useState(PUMP_START);
  const held = useRef<ManualLease>(undefined);
  held.current = lease;
  const isGone = useRef(false);
  useEffect(
    () => () => {
      isGone.current = true;
      // Nobody is here to be told; the head of the page reports a safe state that is not proven.
      held.current?.end().catch(() => {});
    },
    [],
  );
  // What is switched on can be switched off also while the devices cannot be read.
  const known = useRef(peripherals);
  const isRead = peripherals.length > 0;
  if (isRead) known.current = peripherals;
  /** One command after the other. */
  const act = async (work: () => Promise<void>) => {
    setBusy(true);
    setFault(undefined);
    await work().catch(setFault);
    setBusy(false);
  };
  const take = async () => {
    const taken = await ManualLease.take(by, lost);
    // The view was left before the answer came.
    if (isGone.current) await taken.end();
    else setLease(taken);
  };
  const lost = (why: unknown) => {
    setLease(undefined);
    setFault(why);
  };
  const valves = known.current.filter(({ type }) => type === 'valve');
  const pump = known.current.find(({ type }) => type === 'pump');
  const by = station.value?.operator.trim() || messages.value.stop.page;
  if (!lease)
    return (
      <Panel title={text.manual}>
        <p>{text.manualText}</p>
        {fault === undefined ? null : <RequestMessage fault={fault} />}
        <Button size="glove" disabled={isBusy || isStale.value} onClick={() => void act(take)}>
          {text.take}
        </Button>
      </Panel>
    );
  const switchOn = (work: () => Promise<void>) => void act(work).then(onCommand);
  /** Waits for no other command. */
  const switchOff = (work: () => Promise<void>) => {
    setFault(undefined);
    void work().catch(setFault).then(onCommand);
  };
  return (
    <Panel
      title={text.manual}
      aside={
        <Button
          kind="primary"
          onClick={() => {
            setLease(undefined);
            void act(() => lease.end());
          }}
        >
          {text.giveBack}
        </Button>
      }
    >
      {fault === undefined ? null : <RequestMessage fault={fault} />}
      <div class="manual live">
        {valves.map(({ id, name, currentValue }) => (
          <div key={id} class="manual-valve">
            <span>
              <span class="mono">{id}</span> {name === id ? '' : name}:{' '}
              {typeof currentValue !== 'boolean' || !isRead ? text.unread : currentValue ? text.on : text.off}
            </span>
            <Button
              size="glove"
              disabled={isBusy}
              label={`${text.open} ${id}`}
              onClick={() => switchOn(() => lease.valve(id, true))}
            >
              {text.open}
            </Button>
            <Button
              size="glove"
              label={`${text.close} ${id}`}
              onClick={() => switchOff(() => lease.valve(id, false))}
            >
              {text.close}
            </Button>
          </div>
        ))}
      </div>
      {pump ? (
        <form
          class="row manual-pump"
          onSubmit={(event) => {
            event.preventDefault();
            switchOn(() => lease.pump(Number(power.replace(',', '.'))));
          }}
        >
          <Field label={text.power} value={power} onInput={setPower} required />
          <Button type="submit" size="glove" disabled={isBusy || !/^\d{1,3}([.,]\d+)?$/.test(power)}>
            {text.setPump}
          </Button>
          <Button size="glove" onClick={() => switchOff(() => lease.pump(0))}>
            {text.pumpOff}
          </Button>
        </form>
      ) : null}
    </Panel>
  );
}
