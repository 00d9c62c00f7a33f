/** Words of many lengths and some alphabets' letters. */
export const WORDS = (
  'a an the of to in on by for and or not is are was with from into over under open close save load edit view file help new old ' +
  'run stop start pause reset apply cancel accept submit search filter sort order group item list table page panel window dialog menu ' +
  'button input label value number text color size width height pressure volume flow valve pump sensor lung mask report result test ' +
  'scenario measurement calibration voltage temperature device module service status error warning message user account password email ' +
  'address name title description settings preferences options advanced general network security privacy storage memory processor ' +
  'documentation reference introduction overview installation configuration administration authentication authorization ' +
  'zawór pompa ciśnienie płuco maska wynik próba ustawienia zapisz otwórz zamknij anuluj użytkownik hasło przepływ wartość ' +
  'für über größe schließen öffnen año configuración módulos versión état fenêtre réglages année ' +
  'function return const class export import string boolean array object null true false key index count total average maximum minimum'
).split(' ');
