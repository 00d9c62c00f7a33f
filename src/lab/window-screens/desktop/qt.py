"""Draws one window of random content with Qt and says where its widgets are: qt.py BINDING STYLE SEED SCALE OUT.png > items.json"""

import json
import os
import random
import sys

binding, style, seed, scale, out = sys.argv[1:6]
os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["QT_SCALE_FACTOR"] = scale
if binding == "PyQt6":
    from PyQt6 import QtCore, QtGui, QtWidgets
else:
    from PyQt5 import QtCore, QtGui, QtWidgets
Qt = QtCore.Qt
chance = random.Random(int(seed))
WORDS = sys.stdin.read().split()


def words(least, most):
    text = " ".join(chance.choice(WORDS) for _ in range(chance.randint(least, most)))
    return text[:1].upper() + text[1:]


def token():
    return chance.choice([str(chance.randint(0, 9999)), f"{chance.random() * 100:.1f} kPa", f"20{chance.randint(10, 30)}-0{chance.randint(1, 9)}", words(1, 2)])


app = QtWidgets.QApplication(sys.argv[:1])
dark = style.endswith("-dark")
app.setStyle(style.removesuffix("-dark"))
font = app.font()
font.setFamily(chance.choice(["DejaVu Sans", "Noto Sans", "Liberation Sans", "Cantarell"]))
font.setPointSizeF(chance.choice([8, 9, 10, 11]))
app.setFont(font)
if dark:
    palette = QtGui.QPalette()
    role = QtGui.QPalette.ColorRole
    for name, colour in [(role.Window, "#353535"), (role.WindowText, "#eeeeee"), (role.Base, "#232323"), (role.AlternateBase, "#2f2f2f"), (role.Text, "#eeeeee"), (role.Button, "#454545"), (role.ButtonText, "#f5f5f5"), (role.Highlight, "#2a82da"), (role.HighlightedText, "#ffffff")]:
        palette.setColor(name, QtGui.QColor(colour))
    app.setPalette(palette)


def button():
    made = QtWidgets.QPushButton(words(1, 2))
    made.setEnabled(chance.random() > 0.1)
    made.setDefault(chance.random() < 0.2)
    return made


def combo():
    made = QtWidgets.QComboBox()
    made.addItem(words(1, 2))
    return made


def line():
    made = QtWidgets.QLineEdit(token() if chance.random() < 0.7 else "")
    made.setPlaceholderText(words(1, 3))
    return made


def spin():
    made = QtWidgets.QDoubleSpinBox()
    made.setRange(0, 1000)
    made.setValue(chance.random() * 100)
    made.setSuffix(chance.choice(["", " mbar", " l/min", " %"]))
    return made


def check():
    made = chance.choice([QtWidgets.QCheckBox, QtWidgets.QRadioButton])(words(1, 4))
    made.setChecked(chance.random() < 0.5)
    return made


def slider():
    made = QtWidgets.QSlider(Qt.Orientation.Horizontal)
    made.setValue(chance.randint(5, 90))
    return made


def progress():
    made = QtWidgets.QProgressBar()
    made.setValue(chance.randint(5, 95))
    return made


def form():
    box = QtWidgets.QGroupBox(words(1, 3))
    layout = QtWidgets.QFormLayout(box)
    for _ in range(chance.randint(3, 7)):
        layout.addRow(words(1, 3) + ":", chance.choice([line, line, combo, spin, slider])())
    for _ in range(chance.randint(0, 3)):
        layout.addRow(check())
    return box


def table():
    rows, columns = chance.randint(4, 14), chance.randint(3, 6)
    made = QtWidgets.QTableWidget(rows, columns)
    made.setHorizontalHeaderLabels([words(1, 2) for _ in range(columns)])
    made.setAlternatingRowColors(chance.random() < 0.5)
    made.setShowGrid(chance.random() < 0.6)
    made.verticalHeader().setVisible(chance.random() < 0.5)
    for r in range(rows):
        for c in range(columns):
            made.setItem(r, c, QtWidgets.QTableWidgetItem(token()))
    return made


def tree():
    made = QtWidgets.QTreeWidget()
    made.setHeaderLabels([words(1, 1), words(1, 1)])
    for _ in range(chance.randint(3, 6)):
        top = QtWidgets.QTreeWidgetItem(made, [words(1, 2), token()])
        for _ in range(chance.randint(0, 3)):
            QtWidgets.QTreeWidgetItem(top, [words(1, 2), token()])
        top.setExpanded(chance.random() < 0.7)
    return made


def listing():
    made = QtWidgets.QListWidget()
    made.addItems([words(1, 3) for _ in range(chance.randint(4, 10))])
    made.setCurrentRow(1)
    return made


def editor():
    made = QtWidgets.QPlainTextEdit()
    made.setFont(QtGui.QFont("DejaVu Sans Mono", 9))
    made.setLineWrapMode(QtWidgets.QPlainTextEdit.LineWrapMode.NoWrap)
    made.setPlainText("\n".join("    " * chance.randint(0, 3) + f"{chance.choice(WORDS)}_{chance.choice(WORDS)}({words(1, 3)}) = {token()}" if chance.random() > 0.1 else "" for _ in range(30)))
    return made


def keypad():
    box = QtWidgets.QWidget()
    grid = QtWidgets.QGridLayout(box)
    lcd = QtWidgets.QLCDNumber(6)
    lcd.setSegmentStyle(QtWidgets.QLCDNumber.SegmentStyle.Flat)
    lcd.display(round(chance.random() * 1000, 1))
    lcd.setMinimumHeight(60)
    grid.addWidget(lcd, 0, 0, 1, 4)
    for i, key in enumerate("7 8 9 ÷ 4 5 6 × 1 2 3 − 0 . = +".split()):
        made = QtWidgets.QPushButton(key)
        made.setMinimumHeight(36)
        grid.addWidget(made, 1 + i // 4, i % 4)
    return box


def buttons():
    box = QtWidgets.QWidget()
    layout = QtWidgets.QHBoxLayout(box)
    for _ in range(chance.randint(2, 5)):
        layout.addWidget(button())
    layout.addStretch()
    return box


def column():
    box = QtWidgets.QWidget()
    layout = QtWidgets.QVBoxLayout(box)
    for _ in range(chance.randint(1, 3)):
        layout.addWidget(chance.choice([form, form, buttons, label, progress, listing, keypad])())
    layout.addStretch()
    return box


def label():
    return QtWidgets.QLabel(words(3, 9))


window = QtWidgets.QMainWindow()
bar = window.menuBar()
bar.setNativeMenuBar(False)
for _ in range(chance.randint(3, 7)):
    bar.addMenu(words(1, 1))
tools = QtWidgets.QToolBar()
tools.setToolButtonStyle(chance.choice([Qt.ToolButtonStyle.ToolButtonIconOnly, Qt.ToolButtonStyle.ToolButtonTextBesideIcon]))
kinds = QtWidgets.QStyle.StandardPixmap
for name in chance.sample(["SP_DirIcon", "SP_FileIcon", "SP_DialogSaveButton", "SP_ArrowBack", "SP_ArrowForward", "SP_BrowserReload", "SP_MediaPlay", "SP_MediaStop", "SP_TrashIcon"], chance.randint(3, 7)):
    tools.addAction(app.style().standardIcon(getattr(kinds, name)), words(1, 1))
window.addToolBar(tools)
window.statusBar().addWidget(QtWidgets.QLabel(words(2, 5)))
makers = [table, tree, editor, column, column, keypad]
if chance.random() < 0.5:
    tabs = QtWidgets.QTabWidget()
    for i in range(chance.randint(2, 5)):
        page = QtWidgets.QWidget()
        layout = QtWidgets.QHBoxLayout(page)
        for _ in range(chance.randint(1, 2)):
            layout.addWidget(chance.choice(makers)())
        tabs.addTab(page, words(1, 2))
    window.setCentralWidget(tabs)
else:
    split = QtWidgets.QSplitter()
    for maker in [chance.choice([tree, listing, column]), chance.choice(makers)]:
        split.addWidget(maker())
    window.setCentralWidget(split)
window.resize(chance.choice([800, 1024, 1280]), chance.choice([480, 640, 800]))
window.show()
app.processEvents()
QtCore.QThread.msleep(100)
app.processEvents()
items = []


def put(kind, widget, rect, role=None, text=None, clip=None):
    view = clip or widget
    rect = rect.intersected(view.rect()) if clip else rect
    corner = widget.mapTo(window, rect.topLeft())
    if rect.width() >= 3 and rect.height() >= 3:
        items.append({"class": kind, "box": {"x": corner.x(), "y": corner.y(), "width": rect.width(), "height": rect.height()}, **({"role": role} if role else {}), **({"text": text} if text else {})})


def write(widget, rect, alignment, text, clip=None):
    put("text", widget, widget.style().itemTextRect(widget.fontMetrics(), rect, int(alignment) if binding == "PyQt5" else alignment.value if hasattr(alignment, "value") else alignment, True, text), text=text, clip=clip)


def cells(view):
    model, port = view.model(), view.viewport()

    def walk(parent):
        for r in range(model.rowCount(parent)):
            for c in range(1 if isinstance(view, QtWidgets.QListView) else model.columnCount(parent)):
                index = model.index(r, c, parent)
                rect = view.visualRect(index)
                if rect.isValid() and port.rect().contains(rect.center()):
                    put("text", port, rect, text=str(index.data()), clip=port)
            walk(model.index(r, 0, parent))

    walk(QtCore.QModelIndex())


for w in window.findChildren(QtWidgets.QWidget):
    # The header of a table is covered by its own viewport.
    seen = w.viewport() if isinstance(w, QtWidgets.QHeaderView) else w
    if not w.isVisible() or seen.visibleRegion().isEmpty():
        continue
    inside = w.parentWidget()
    if isinstance(w, (QtWidgets.QCheckBox, QtWidgets.QRadioButton)):
        put("interactive", w, QtCore.QRect(QtCore.QPoint(0, (w.height() - w.sizeHint().height()) // 2), w.sizeHint()).intersected(w.rect()), "checkbox", w.text())
    elif isinstance(w, QtWidgets.QPushButton):
        put("interactive", w, w.rect(), "button", w.text())
    elif isinstance(w, QtWidgets.QToolButton) and isinstance(inside, QtWidgets.QToolBar) and w.defaultAction():
        put("interactive", w, w.rect(), "button" if tools.toolButtonStyle() != Qt.ToolButtonStyle.ToolButtonIconOnly else "icon_button")
    elif isinstance(w, (QtWidgets.QComboBox, QtWidgets.QAbstractSpinBox, QtWidgets.QPlainTextEdit)) or (isinstance(w, QtWidgets.QLineEdit) and not isinstance(inside, QtWidgets.QAbstractSpinBox)):
        if not isinstance(w, QtWidgets.QPlainTextEdit):
            put("interactive", w, w.rect(), "input", w.currentText() if isinstance(w, QtWidgets.QComboBox) else w.text())
        else:
            put("container", w, w.rect(), "panel")
            block = w.firstVisibleBlock()
            while block.isValid():
                box = w.blockBoundingGeometry(block).translated(w.contentOffset())
                if box.top() > w.viewport().height():
                    break
                text = block.text()
                if text.strip():
                    left = w.fontMetrics().horizontalAdvance(text[: len(text) - len(text.lstrip())])
                    rect = QtCore.QRect(int(box.left()) + int(w.document().documentMargin()) + left, int(box.top()), w.fontMetrics().horizontalAdvance(text.strip()), int(box.height()))
                    put("text", w.viewport(), rect, text=text.strip(), clip=w.viewport())
                block = block.next()
    elif isinstance(w, QtWidgets.QSlider):
        put("interactive", w, w.rect(), "slider")
    elif isinstance(w, QtWidgets.QLCDNumber):
        put("text", w, w.rect().adjusted(3, 3, -3, -3), text=str(w.value()))
    elif isinstance(w, QtWidgets.QProgressBar):
        put("graphic", w, w.rect())
    elif isinstance(w, QtWidgets.QLabel) and w.text():
        write(w, w.contentsRect(), w.alignment(), w.text())
    elif isinstance(w, QtWidgets.QTabBar):
        for i in range(w.count()):
            put("interactive", w, w.tabRect(i), "tab", w.tabText(i))
    elif isinstance(w, QtWidgets.QMenuBar):
        for action in w.actions():
            put("interactive", w, w.actionGeometry(action), "menu", action.text())
    elif isinstance(w, QtWidgets.QHeaderView):
        port = w.viewport()
        for i in range(w.count()):
            start, size = w.sectionViewportPosition(i), w.sectionSize(i)
            rect = QtCore.QRect(start, 0, size, port.height()) if w.orientation() == Qt.Orientation.Horizontal else QtCore.QRect(0, start, port.width(), size)
            text = w.model().headerData(i, w.orientation(), Qt.ItemDataRole.DisplayRole)
            if port.rect().contains(rect.center()) and text:
                put("text", port, rect, text=str(text), clip=port)
    elif isinstance(w, QtWidgets.QGroupBox):
        option = QtWidgets.QStyleOptionGroupBox()
        w.initStyleOption(option)
        put("text", w, w.style().subControlRect(QtWidgets.QStyle.ComplexControl.CC_GroupBox, option, QtWidgets.QStyle.SubControl.SC_GroupBoxLabel, w), text=w.title())
        put("container", w, w.rect(), "panel")
    elif isinstance(w, QtWidgets.QToolBar):
        put("container", w, w.rect(), "toolbar")
    if isinstance(w, QtWidgets.QAbstractItemView) and not isinstance(w, QtWidgets.QHeaderView):
        put("container", w, w.rect(), "panel")
        cells(w)
window.grab().save(out)
json.dump(items, sys.stdout)
