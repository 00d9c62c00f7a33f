"""Draws one window of random content with GTK 3 and says where its widgets are: gtk.py THEME SEED SCALE OUT.png > items.json"""

import json
import os
import random
import sys

theme, seed, scale, out = sys.argv[1:5]
os.environ["GTK_THEME"] = theme.removesuffix("-dark") + (":dark" if theme == "Adwaita-dark" else "") if theme.startswith("Adwaita") else theme
os.environ["GDK_SCALE"] = scale
os.environ["NO_AT_BRIDGE"] = "1"
import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk, Pango  # noqa: E402

chance = random.Random(int(seed))
WORDS = sys.stdin.read().split()
settings = Gtk.Settings.get_default()
settings.set_property("gtk-font-name", f"{chance.choice(['DejaVu Sans', 'Noto Sans', 'Liberation Sans', 'Cantarell'])} {chance.choice([8, 9, 10, 11])}")
settings.set_property("gtk-enable-animations", False)
settings.set_property("gtk-cursor-blink", False)


def words(least, most):
    text = " ".join(chance.choice(WORDS) for _ in range(chance.randint(least, most)))
    return text[:1].upper() + text[1:]


def token():
    return chance.choice([str(chance.randint(0, 9999)), f"{chance.random() * 100:.1f} l/min", f"20{chance.randint(10, 30)}-0{chance.randint(1, 9)}", words(1, 2)])


def label(text=None):
    made = Gtk.Label(label=text or words(2, 7), xalign=0)
    made.set_ellipsize(Pango.EllipsizeMode.NONE)
    return made


def button():
    made = Gtk.Button(label=words(1, 2))
    if chance.random() < 0.2:
        made.get_style_context().add_class(chance.choice(["suggested-action", "destructive-action", "flat"]))
    made.set_sensitive(chance.random() > 0.1)
    return made


def icon_button():
    return Gtk.Button.new_from_icon_name(chance.choice(["document-open-symbolic", "document-save-symbolic", "edit-cut-symbolic", "edit-find-symbolic", "go-next-symbolic", "list-add-symbolic", "view-refresh-symbolic", "user-trash-symbolic"]), Gtk.IconSize.BUTTON)


def entry():
    return Gtk.Entry(text=token() if chance.random() < 0.7 else "", placeholder_text=words(1, 3))


def combo():
    made = Gtk.ComboBoxText()
    made.append_text(words(1, 2))
    made.set_active(0)
    return made


def spin():
    made = Gtk.SpinButton.new_with_range(0, 1000, 1)
    made.set_value(chance.randint(0, 999))
    return made


def check():
    made = chance.choice([Gtk.CheckButton, Gtk.RadioButton])(label=words(1, 4))
    made.set_active(chance.random() < 0.5)
    made.set_halign(Gtk.Align.START)
    return made


def switch():
    return Gtk.Switch(active=chance.random() < 0.5, halign=Gtk.Align.START)


def scale_bar():
    made = Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1)
    made.set_value(chance.randint(5, 95))
    made.set_draw_value(False)
    return made


def box(vertical, children, gap=8):
    made = Gtk.Box(orientation=Gtk.Orientation.VERTICAL if vertical else Gtk.Orientation.HORIZONTAL, spacing=gap, margin=6)
    for child in children:
        made.pack_start(child, False, False, 0)
    return made


def form():
    grid = Gtk.Grid(row_spacing=6, column_spacing=12, margin=8)
    for r in range(chance.randint(3, 8)):
        grid.attach(label(words(1, 3)), 0, r, 1, 1)
        grid.attach(chance.choice([entry, entry, combo, spin, check, switch, scale_bar])(), 1, r, 1, 1)
    frame = Gtk.Frame(label=words(1, 2))
    frame.add(grid)
    return frame


def table():
    columns = chance.randint(2, 5)
    store = Gtk.ListStore(*[str] * columns)
    for _ in range(chance.randint(5, 16)):
        store.append([token() for _ in range(columns)])
    view = Gtk.TreeView(model=store, enable_grid_lines=chance.choice([Gtk.TreeViewGridLines.NONE, Gtk.TreeViewGridLines.BOTH]))
    for c in range(columns):
        view.append_column(Gtk.TreeViewColumn(words(1, 2), Gtk.CellRendererText(xpad=6), text=c))
    scroll = Gtk.ScrolledWindow(vexpand=True, hexpand=True)
    scroll.add(view)
    return scroll


def listing():
    made = Gtk.ListBox()
    for _ in range(chance.randint(4, 9)):
        made.add(box(False, [Gtk.Image.new_from_icon_name("folder-symbolic", Gtk.IconSize.MENU), label(words(1, 3))], 6) if chance.random() < 0.5 else box(False, [label(words(1, 3))], 4))
    return made


def keypad():
    grid = Gtk.Grid(row_spacing=4, column_spacing=4, margin=6, column_homogeneous=True)
    shown = entry()
    shown.set_alignment(1)
    grid.attach(shown, 0, 0, 4, 1)
    for i, key in enumerate("7 8 9 ÷ 4 5 6 × 1 2 3 − 0 . = +".split()):
        made = Gtk.Button(label=key, height_request=36, width_request=56)
        grid.attach(made, i % 4, 1 + i // 4, 1, 1)
    return grid


def buttons():
    return box(False, [chance.choice([button, button, icon_button])() for _ in range(chance.randint(2, 5))])


def editor():
    view = Gtk.TextView(monospace=True, left_margin=6)
    view.get_buffer().set_text("\n".join("  " * chance.randint(0, 3) + f"{chance.choice(WORDS)}_{chance.choice(WORDS)}: {token()}" for _ in range(24)))
    scroll = Gtk.ScrolledWindow(vexpand=True, hexpand=True)
    scroll.add(view)
    return scroll


def column():
    return box(True, [chance.choice([form, form, buttons, label, listing, keypad, progress])() for _ in range(chance.randint(1, 3))])


def progress():
    return Gtk.ProgressBar(fraction=chance.random())


window = Gtk.Window(type=Gtk.WindowType.POPUP)
window.set_default_size(chance.choice([800, 1024, 1280]), chance.choice([480, 640, 800]))
outer = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
window.add(outer)
if chance.random() < 0.5:
    bar = Gtk.MenuBar()
    for _ in range(chance.randint(3, 7)):
        bar.append(Gtk.MenuItem(label=words(1, 1)))
    outer.pack_start(bar, False, False, 0)
    outer.pack_start(buttons(), False, False, 0)
else:
    head = Gtk.HeaderBar(title=words(1, 3), show_close_button=False)
    for _ in range(chance.randint(1, 4)):
        (head.pack_start if chance.random() < 0.5 else head.pack_end)(chance.choice([button, icon_button])())
    outer.pack_start(head, False, False, 0)
makers = [table, table, editor, column, column, keypad, form]
if chance.random() < 0.5:
    book = Gtk.Notebook()
    for _ in range(chance.randint(2, 5)):
        page = Gtk.Box(homogeneous=True)
        for _ in range(chance.randint(1, 2)):
            page.pack_start(chance.choice(makers)(), True, True, 0)
        book.append_page(page, Gtk.Label(label=words(1, 2)))
    outer.pack_start(book, True, True, 0)
else:
    pane = Gtk.Box()
    pane.pack_start(chance.choice([listing, column])(), False, False, 0)
    pane.pack_start(Gtk.Separator(orientation=Gtk.Orientation.VERTICAL), False, False, 0)
    pane.pack_start(chance.choice(makers)(), True, True, 0)
    outer.pack_start(pane, True, True, 0)
items = []


def put(kind, x, y, width, height, role=None, text=None):
    if width >= 3 and height >= 3 and y < window.get_allocated_height() and x < window.get_allocated_width():
        items.append({"class": kind, "box": {"x": x, "y": y, "width": width, "height": height}, **({"role": role} if role else {}), **({"text": text} if text else {})})


def whole(kind, w, role=None, text=None):
    x, y = w.translate_coordinates(window, 0, 0)
    put(kind, x, y, w.get_allocated_width(), w.get_allocated_height(), role, text)


def write(w):
    area = w.get_allocation()
    dx, dy = w.translate_coordinates(window, 0, 0)
    left, top = w.get_layout_offsets()
    size = w.get_layout().get_pixel_extents()[1]
    put("text", dx + left - area.x, dy + top - area.y, size.width, size.height, text=w.get_text())


def rows(view):
    bin_y = view.convert_bin_window_to_widget_coords(0, 0)[1]
    for column_ in view.get_columns():
        head = column_.get_button()
        if head.get_mapped():
            whole("interactive", head, "button", column_.get_title())
        for r in range(len(view.get_model())):
            cell = view.get_cell_area(Gtk.TreePath(r), column_)
            dx, dy = view.translate_coordinates(window, cell.x, cell.y + bin_y)
            if cell.y + bin_y + cell.height <= view.get_allocated_height():
                put("text", dx, dy, cell.width, cell.height, text=view.get_model()[r][view.get_columns().index(column_)])


def lines(view):
    buffer = view.get_buffer()
    for n in range(buffer.get_line_count()):
        start = buffer.get_iter_at_line(n)
        end = start.copy()
        if not end.ends_line():
            end.forward_to_line_end()
        text = buffer.get_text(start, end, False)
        start.forward_chars(len(text) - len(text.lstrip()))
        a, b = view.get_iter_location(start), view.get_iter_location(end)
        x, y = view.buffer_to_window_coords(Gtk.TextWindowType.WIDGET, a.x, a.y)
        dx, dy = view.translate_coordinates(window, x, y)
        if text.strip() and y + a.height <= view.get_allocated_height():
            put("text", dx, dy, b.x - a.x, a.height, text=text.strip())


def walk(w):
    if not w.get_mapped():
        return
    if isinstance(w, (Gtk.CheckButton,)):
        return whole("interactive", w, "checkbox", w.get_label())
    if isinstance(w, Gtk.ComboBox):
        return whole("interactive", w, "input")
    if isinstance(w, Gtk.Button):
        return whole("interactive", w, "button" if w.get_label() else "icon_button", w.get_label())
    if isinstance(w, (Gtk.Entry,)):
        return whole("interactive", w, "input", w.get_text())
    if isinstance(w, Gtk.Switch):
        return whole("interactive", w, "checkbox")
    if isinstance(w, Gtk.Scale):
        return whole("interactive", w, "slider")
    if isinstance(w, Gtk.MenuItem):
        return whole("interactive", w, "menu", w.get_label())
    if isinstance(w, (Gtk.ProgressBar, Gtk.Image)):
        return whole("graphic", w)
    if isinstance(w, Gtk.Label):
        return write(w)
    if isinstance(w, Gtk.TreeView):
        return rows(w)
    if isinstance(w, Gtk.TextView):
        whole("container", w, "panel")
        return lines(w)
    if isinstance(w, (Gtk.HeaderBar, Gtk.MenuBar)):
        whole("container", w, "titlebar" if isinstance(w, Gtk.HeaderBar) else "toolbar")
    if isinstance(w, (Gtk.Frame, Gtk.ScrolledWindow)):
        whole("container", w, "panel")
    if isinstance(w, Gtk.Notebook):
        for n in range(w.get_n_pages()):
            tab = w.get_tab_label(w.get_nth_page(n))
            if tab.get_mapped():
                whole("interactive", tab, "tab", tab.get_text())
    if isinstance(w, Gtk.Container):
        skipped = [w.get_tab_label(w.get_nth_page(n)) for n in range(w.get_n_pages())] if isinstance(w, Gtk.Notebook) else []
        w.forall(lambda child: walk(child) if child not in skipped else None)


def finish():
    walk(window)
    width, height = window.get_allocated_width(), window.get_allocated_height()
    Gdk.pixbuf_get_from_window(window.get_window(), 0, 0, width, height).savev(out, "png", [], [])
    json.dump(items, sys.stdout)
    Gtk.main_quit()


window.show_all()
GLib.timeout_add(500, finish)
Gtk.main()
