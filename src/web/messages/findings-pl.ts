import type { Code } from '../../scenario/diagnostics/catalogue.ts';

/** What each finding means and what helps, by its code. The finding itself, with its names and values, stays English. */
export const findingsPl: Readonly<Record<Code, string>> = {
  SCN001:
    'Źródło jest stroną WWW, zwykle stroną, która pokazuje plik. Użyj adresu samego tekstu albo pobierz plik.',
  SCN002: 'Źródło jest puste albo zawiera tylko komentarze. Napisz przynajmniej GOAL: ze sprawdzeniem.',
  SCN003: 'Bajty nie są tekstem UTF-8. Zapisz plik jako UTF-8.',
  SCN004:
    'Źródło, jego zagnieżdżenie albo rozwinięcie makr przekracza dozwolony rozmiar. Podziel je na biblioteki (INCLUDE) albo użyj REPEAT.',
  SCN005:
    'Plik zawiera tylko makra: biblioteki nie można uruchomić. Dołącz ją przez INCLUDE do scenariusza z celami.',
  SCN101: 'Po VERSION brakuje dwukropka. Napisz VERSION: i numer.',
  SCN102: 'VERSION nie jest w pierwszym wierszu; mimo to obowiązuje. Przenieś ją na początek.',
  SCN103: 'Nie ma takiej wersji języka. Napisz wersję od 1 do 5.',
  SCN104: 'Nieznany klucz metadanych: jest zachowany, ale nieużywany. Popraw go albo zostaw jako notatkę.',
  SCN105: 'Wiersz metadanych nie ma tekstu. Uzupełnij go albo usuń.',
  SCN110: 'Tu mogą stać tylko metadane, INCLUDE i komentarze. Umieść to w bloku GOAL:, CONFIG: albo MACRO.',
  SCN111: 'Polecenie bloku nie ma wcięcia, więc nie wiadomo, do czego należy. Wcięcie ma dwie spacje.',
  SCN112: 'Cel nie ma nazwy, więc raport go nie rozpozna. Napisz pod nim SET NAME.',
  SCN113: 'Nazwa celu stoi w wierszu GOAL:, jak w starszych wersjach. Napisz SET NAME w następnym wierszu.',
  SCN114: 'Dwa bloki mają tę samą nazwę; z dwóch makr działa drugie. Nadaj każdemu własną nazwę.',
  SCN115: 'Blok nie ma poleceń. Uzupełnij go albo usuń.',
  SCN116:
    'ELSE, OR IF albo END nie ma swojego IF, albo blok nie jest zamknięty. Umieść wiersz pod jego IF albo wetnij gałąź.',
  SCN117: 'Słowo zamykające nie zamyka niczego. Usuń je.',
  SCN118: 'Blok albo polecenie jest przyjęte, ale nie jest wykonywane. Nie polegaj na nim.',
  SCN119: 'Wiersz metadanych stoi za pierwszym blokiem. Przenieś go na początek pliku.',
  SCN120:
    'Pierwsze słowo nie jest poleceniem albo jego argumenty mają złą postać. Popraw słowo; uwaga podaje najbliższe polecenie.',
  SCN121: 'Cudzysłów nie jest zamknięty w swoim wierszu. Dodaj cudzysłów zamykający.',
  SCN122: 'Nawias nie jest zamknięty w swoim wierszu. Dodaj nawias zamykający.',
  SCN123: 'Poleceniu brakuje argumentu. Wzoruj się na przykładzie w uwadze.',
  SCN124:
    'Za pełnym poleceniem jest tekst, który nie jest wykonywany. Umieść go w osobnym wierszu, zamień na komentarz (#) albo usuń.',
  SCN125:
    'Liczby brakuje, jest poza zakresem albo ma złą postać (przecinek nie jest znakiem dziesiętnym). Napisz na przykład 12.5.',
  SCN126: 'Czasu brakuje albo ma złą postać. Napisz na przykład 500 ms, 1.5 s albo 2 min.',
  SCN127:
    'Nieznana jednostka: można ją porównać tylko z nią samą. Użyj jednostki z listy albo popraw pisownię.',
  SCN128:
    'Cudzysłów w tekście albo tuż obok może zakończyć go za wcześnie. Użyj drugiego rodzaju cudzysłowu.',
  SCN129: 'Przed CORRECT albo ELSE nie ma sprawdzenia. Umieść je tuż pod nim.',
  SCN130: 'Sprawdzenie ma już taki tekst; oba są łączone. Zostaw jeden.',
  SCN131: 'Polecenie jest znane, ale niewykonywalne: test zakończy się błędem. Zastąp je albo usuń.',
  SCN132: 'IF bez wcięcia dotyczy tylko następnego wiersza. Wetnij wiersze, które do niego należą.',
  SCN133: 'Tekst sprawdzenia przeczy jego warunkowi. Odwróć operator albo popraw tekst.',
  SCN134: 'Tekst za poleceniem nie jest używany. Zamień go na komentarz (#).',
  SCN135: 'Plik jest napisany w innym języku. Uruchom go jego narzędziem albo przepisz na scenariusz.',
  SCN150: 'Wartość podano dla tego testu, więc wiersz, który ją ustawia, jest pominięty.',
  SCN151: 'Podano wartość, którą scenariusz sam oblicza. Nie podawaj jej albo zmień nazwę zmiennej.',
  SCN152:
    'Podano wartość, której scenariusz nie używa. Popraw nazwę albo nie podawaj jej: granica z literówką nie działałaby.',
  SCN153: 'Podano wartość pod nazwą czujnika, elementu wykonawczego albo zegara. Nie podawaj jej.',
  SCN154: 'Podana wartość nie pasuje do użycia w scenariuszu. Podaj wartość rodzaju i jednostki z uwagi.',
  SCN155: 'DEFAULT stoi w makrze albo w gałęzi. Przenieś go nad pierwszy blok.',
  SCN156: 'DEFAULT ma złą nazwę lub wartość albo nie jest używany. Popraw go według uwagi albo usuń.',
  SCN201: 'Nie ma takiego makra. Popraw nazwę albo dołącz bibliotekę przez INCLUDE.',
  SCN202: 'Wywołanie ma za mało albo za dużo argumentów. Podaj tyle, ilu używa makro.',
  SCN203: 'Makra wywołują się nawzajem bez końca. Usuń jedno wywołanie.',
  SCN204: 'Nie znaleziono dołączanego pliku. Popraw ścieżkę albo podaj bibliotekę przez --library.',
  SCN205: 'Pliki dołączają się nawzajem. Usuń jedno INCLUDE.',
  SCN206: 'Dołączany plik jest poza folderem scenariusza i biblioteką. Przenieś go tam albo podaj --library.',
  SCN207:
    'Makro albo DEFAULT dołączonego pliku jest zasłonięte przez to z pliku, który go dołącza. Jeśli nie o to chodzi, zmień nazwę.',
  SCN208: 'Dołączony plik ma cele; wczytywane są tylko makra. Przenieś makra do osobnego pliku.',
  SCN220:
    'Ani stanowisko, ani scenariusz nie zna nazwy po SET; nic nie jest wysyłane. Popraw nazwę albo dodaj ją do svc.yaml.',
  SCN221:
    'To nie jest element wykonawczy tego stanowiska; nic nie jest wysyłane. Popraw nazwę albo dodaj ją do svc.yaml.',
  SCN222:
    'To ani czujnik tego stanowiska, ani zmienna ustawiona wcześniej. Popraw nazwę albo najpierw ustaw zmienną.',
  SCN223:
    'Element wykonawczy nie przyjmuje tej wartości. Zawór: on albo off; pompa: przepływ albo procent; płuco: start, stop, cykle albo objętość.',
  SCN224:
    'Wartość zadana jest poza zakresem od 0 do 100 %. Wpisz wartość z zakresu; nie jest ona przycinana.',
  SCN225: 'Przepływ jest ujemny, a pompa obraca się w jedną stronę. Napisz przepływ dodatni.',
  SCN226: 'Wartość zadana pompy jest objętością. Napisz przepływ (l/min) albo procent.',
  SCN227:
    'Czujnik nie ma ważnej kalibracji dla tej jednostki. Dodaj ją do svc.yaml, potwierdź albo użyj jednostki czujnika.',
  SCN228:
    'Zmienna nigdy nie jest ustawiana: granica lub wartość zadana z nią kończy test błędem. Ustaw ją albo popraw nazwę.',
  SCN229: 'Przepływ przekracza zakres pompy. Zmniejsz go albo popraw PUMP_FLOW_FULL_SCALE_LPM.',
  SCN240:
    'Porównywane są różne wielkości, na przykład ciśnienie i czas albo wolty i mbar. Użyj jednostek jednej wielkości.',
  SCN241: 'Granica nigdy nie jest sprawdzana, bo cel nie czyta jej czujnika. Dodaj do celu GET albo SAMPLE.',
  SCN242: 'Między granicami nie ma żadnej wartości. Zamień je albo popraw.',
  SCN243: 'Granice, które obowiązują jednocześnie, wykluczają każdą wartość. Popraw granice.',
  SCN244:
    'Cel niczego nie sprawdza i zawsze ma wynik pozytywny. Dodaj CHECK albo granicę, albo przenieś polecenia do CONFIG.',
  SCN245: 'SAMPLE zaczyna się dwa razy albo kończy bez początku. W celu każdy START ma swój STOP.',
  SCN246:
    'Kierunek zmiany jest niejasny albo znak przepuszcza każdą zmianę. Napisz znak albo ogranicz obie strony.',
  SCN247: 'Przerwy w celu są dłuższe niż jego limit czasu. Podziel cel albo zwiększ --timeout-goal.',
  SCN248: 'GOTO wskazuje cel, którego nie ma. Popraw nazwę.',
  SCN250:
    'Żaden odczyt tego czujnika nie sięga granicy, więc wynik jest zawsze taki sam. Popraw granicę albo zakres w svc.yaml.',
  SCN251:
    'Okno statystyki albo zmiany jest dłuższe niż czas próbkowania. Po SAMPLE START poczekaj (WAIT) całe okno.',
  SCN255: 'ERROR nie zależy od żadnego sprawdzenia: cel zawsze ma wynik negatywny. Wetnij go pod jego IF.',
  SCN256:
    'Warunek jest zawsze albo nigdy prawdziwy, więc niczego nie sprawdza. Popraw granice albo zamień AND i OR.',
  SCN257: 'Zmierzona wartość nigdy nie jest dokładnie równa. Napisz zakres.',
  SCN258: 'Zmienna ma nazwę czujnika, elementu wykonawczego albo zegara. Wybierz inną nazwę.',
  SCN259: 'SAVE nie ma czego zapisać: cel jeszcze nic nie odczytał. Napisz przed nim GET.',
  SCN260: 'Ścieżka polecenia API prowadzi poza stanowisko. Użyj ścieżki pod /health albo /api.',
  SCN261: 'Polecenie ASSERT ma złą postać. Wzoruj się na przykładzie w uwadze.',
  SCN262: 'To nie jest poprawna nazwa zmiennej powłoki. Użyj liter, cyfr i _, bez cyfry na początku.',
  SCN263: 'PROMPT, jego odpowiedzi albo limit czasu mają złą postać. Wzoruj się na przykładzie w uwadze.',
  SCN271:
    'Na końcu planu element wykonawczy jest wciąż włączony. Wyłącz go w celu albo w CONFIG za ostatnim celem.',
  SCN272:
    'Czas testu nie ma górnej granicy (przerwa znana dopiero w czasie testu, pętla bez końca albo czekanie na operatora). Podaj czas, ogranicz zmienną albo dodaj TIMEOUT.',
  SCN273:
    'Test może przekroczyć limits.run.max_duration_s z svc.yaml. Skróć przerwy, powtórzenia albo ponowienia.',
  SCN274: 'Wartość zadana przekracza granicę z svc.yaml. Zmniejsz ją.',
  SCN275:
    'Wartość zadana jest znana dopiero w czasie testu i nie ma górnej granicy. Ogranicz ją, na przykład CALC z MIN.',
  SCN276:
    'Plan naruszyłby blokadę z svc.yaml, na przykład pompa przy zamkniętym zaworze. Zmień kolejność: na przykład najpierw otwórz zawór, potem włącz pompę, a zamknij go po jej zatrzymaniu.',
  SCN277:
    'Skutek wywołania API nie jest znany przed testem albo zmienia ono dzierżawę. Do elementów wykonawczych użyj SET.',
  SCN278: 'OPTIONAL nie stoi w osobnym wierszu celu. Napisz je w osobnym wierszu pod nazwą celu.',
  SCN279:
    'Każde sprawdzenie celu zależy od warunku: bez żadnego cel jest nierozstrzygnięty. Dodaj stałe sprawdzenie albo OPTIONAL.',
  SCN301: 'Stara składnia, która nadal działa. svcctl format ją przepisze.',
  SCN302: 'Polecenie jest nowsze niż podana wersja. Zwiększ VERSION.',
  SCN401: 'Żaden cel nie został wykonany, więc niczego nie sprawdzono. Dodaj cel albo wybierz istniejący.',
  SCN402:
    'Odczyt się nie udał albo jest nieważny: brak odpowiedzi, nasycenie, inny czujnik albo nieznany wiek odczytu. Sprawdź czujnik i jego usługę.',
  SCN403: 'Odczyt jest starszy, niż test pozwala. Sprawdź, dlaczego czujnik jest wolny.',
  SCN404: 'Odczyt nie pochodzi z prawdziwego stanowiska. Użyj prawdziwego albo zezwól przez --simulated.',
  SCN405:
    'Stanowisko odrzuciło polecenie albo stan bezpieczny jest niepełny. Jeśli jest niepełny, odłącz zasilanie pompy, płuca i zaworów i sprawdź, czy są wyłączone.',
  SCN406: 'Połączenie ze stanowiskiem albo zapis pliku testu się nie udał. Sprawdź, czy usługa działa.',
  SCN407:
    'Polecenie, cel albo test trwał dłużej niż jego limit czasu. Znajdź przyczynę; gdzie trzeba, zwiększ limit.',
  SCN408:
    'Ktoś inny zajmuje stanowisko albo dzierżawa została utracona w czasie testu. Poczekaj, aż je zwolni.',
  SCN409:
    'Stanowisko nie jest gotowe do tego testu; nic się nie poruszyło. Uwaga wymienia każdą niegotową część.',
  SCN410: 'Granica nie została sprawdzona: jej czujnika nie odczytano. Dodaj do celu GET albo SAMPLE.',
  SCN411:
    'W chwili użycia brakuje wartości (zmiennej albo czujnika), skoki GOTO nie mają końca albo program ma błąd wewnętrzny; uwaga mówi, co.',
  SCN412:
    'Operator, sygnał albo utrata stanowiska zakończyły test. Czy stanowisko jest w stanie bezpiecznym, mówi osobny wiersz wyniku.',
  SCN413: 'Operator odpowiedział „nie”. To wynik testu, nie błąd scenariusza.',
  SCN414: 'Na pytanie nie odpowiedziano na czas. Odpowiedz na stronie albo zwiększ TIMEOUT pytania.',
  SCN416:
    'Żadne sprawdzenie celu nie zostało wykonane, więc wynik jest nierozstrzygnięty. Dodaj stałe sprawdzenie albo OPTIONAL.',
};
