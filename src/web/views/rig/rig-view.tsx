import { Message } from '../../components/message.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { messages } from '../../messages/index.ts';
import { place } from '../../navigation/route.ts';
import { DevicesPage } from './devices-page.tsx';
import { DoctorPage } from './doctor-page.tsx';
import { ServicesPage } from './services-page.tsx';

/** For the service engineer. Leaving the devices ends manual control there. */
export function RigView() {
  const text = messages.value.rig;
  const { item } = place.value;
  const tabs = [
    ['', text.devices],
    ['doctor', text.doctor.title],
    ['services', text.services],
  ] as const;
  return (
    <div class="stack">
      <Tabs label={messages.value.views.rig} view="rig" tabs={tabs} current={item} />
      {item === '' ? (
        <DevicesPage />
      ) : item === 'doctor' ? (
        <DoctorPage />
      ) : item === 'services' ? (
        <ServicesPage />
      ) : (
        <Message kind="warning">{messages.value.unknownView(`rig/${item}`)}</Message>
      )}
    </div>
  );
}
