# Draws one window of random content with Tk and says where its widgets are: wish tk.tcl THEME SEED SCALE OUT.png > items.json
package require Tk
package require img::window
package require img::png
lassign $argv theme seed scale out
set words [split [string trim [read stdin]] " \n"]
expr {srand($seed)}
proc chance {most} { expr {int(rand() * $most)} }
proc pick {from} { lindex $from [chance [llength $from]] }
proc phrase {least most} {
  set n [expr {$least + [chance [expr {$most - $least + 1}]]}]
  for {set i 0} {$i < $n} {incr i} { lappend all [pick $::words] }
  string totitle [join $all " "]
}
proc token {} { pick [list [chance 9999] "[format %.1f [expr {rand() * 100}]] mbar" [phrase 1 2]] }
set family [pick {"DejaVu Sans" "Liberation Sans" "Noto Sans"}]
set size [expr {-int([pick {11 12 13 14}] * $scale)}]
foreach font {TkDefaultFont TkTextFont TkMenuFont TkHeadingFont TkCaptionFont} { font configure $font -family $family -size $size }
font configure TkFixedFont -family "DejaVu Sans Mono" -size $size
set isPlain [expr {$theme eq "plain"}]
if {!$isPlain} { ttk::style theme use $theme }
ttk::style configure Treeview -rowheight [expr {int(20 * $scale)}]
set n 0
set found {}
proc name {parent} { return [expr {$parent eq "." ? "" : $parent}].w[incr ::n] }
proc make {class kind role parent args} {
  set w [name $parent]
  if {$::isPlain && $class ni {ttk::treeview ttk::notebook ttk::combobox}} { set class [string map {ttk:: ""} $class] }
  $class $w {*}$args
  lappend ::found [list $w $kind $role]
  return $w
}
proc gap {n} { expr {int($n * $::scale)} }
proc aButton {parent} { make ttk::button interactive button $parent -text [phrase 1 2] }
proc field {parent} { set w [make ttk::entry interactive input $parent]; $w insert 0 [token]; return $w }
proc choice {parent} { set w [make ttk::combobox interactive input $parent -values a]; $w set [phrase 1 2]; return $w }
proc check {parent} { make [pick {ttk::checkbutton ttk::radiobutton}] interactive checkbox $parent -text [phrase 1 4] }
proc aLabel {parent {of ""}} { make ttk::label text text $parent -text [expr {$of eq "" ? [phrase 2 6] : $of}] }
proc form {parent} {
  set box [make ttk::labelframe container panel $parent -text [phrase 1 2]]
  for {set r 0} {$r < 3 + [chance 4]} {incr r} {
    grid [aLabel $box [phrase 1 3]] -row $r -column 0 -sticky w -padx [gap 6] -pady [gap 3]
    grid [[pick {field field choice check}] $box] -row $r -column 1 -sticky ew -padx [gap 6] -pady [gap 3]
  }
  return $box
}
proc table {parent} {
  set columns [lrange {a b c d e} 0 [expr {1 + [chance 3]}]]
  set w [make ttk::treeview table panel $parent -columns $columns -show headings -height [expr {5 + [chance 8]}]]
  foreach c $columns { $w heading $c -text [phrase 1 1]; $w column $c -width [gap 110] }
  for {set r 0} {$r < 14} {incr r} { set row {}; foreach c $columns { lappend row [token] }; $w insert {} end -values $row }
  return $w
}
proc editor {parent} {
  set w [make text lines panel $parent -font TkFixedFont -width 50 -height 16 -wrap none]
  for {set r 0} {$r < 20} {incr r} { $w insert end "[string repeat "  " [chance 4]][pick $::words]_[pick $::words] [phrase 1 4] = [token]\n" }
  return $w
}
proc keypad {parent} {
  set box [ttk::frame [name $parent]]
  set i 0
  foreach key {7 8 9 / 4 5 6 * 1 2 3 - 0 . = +} {
    grid [make ttk::button interactive button $box -text $key -width 5] -row [expr {$i / 4}] -column [expr {$i % 4}] -padx [gap 2] -pady [gap 2] -ipady [gap 4]
    incr i
  }
  return $box
}
proc bar {parent} {
  set box [ttk::frame [name $parent]]
  for {set i 0} {$i < 2 + [chance 4]} {incr i} { pack [aButton $box] -side left -padx [gap 4] -pady [gap 4] }
  return $box
}
proc listing {parent} {
  set w [make listbox list panel $parent -font TkDefaultFont -height 8]
  for {set i 0} {$i < 4 + [chance 6]} {incr i} { $w insert end [phrase 1 3] }
  return $w
}
wm overrideredirect . 1
wm geometry . [pick {1024x640 800x480 1280x800}]+0+0
if {$scale > 1} { wm geometry . [gap 800]x[gap 480]+0+0 }
pack [bar .] -anchor w
set holders {}
if {[chance 2]} {
  set book [make ttk::notebook tabs panel .]
  for {set i 0} {$i < 2 + [chance 3]} {incr i} { set page [ttk::frame [name $book]]; $book add $page -text [phrase 1 2]; lappend holders $page }
  pack $book -fill both -expand 1 -padx [gap 6] -pady [gap 6]
  set holder [lindex $holders 0]
} else { set holder [ttk::frame [name .]]; pack $holder -fill both -expand 1 }
for {set i 0} {$i < 3} {incr i} {
  set column [ttk::frame [name $holder]]
  pack $column -side left -anchor n -padx [gap 8] -pady [gap 6]
  for {set j 0} {$j < 2 + [chance 2]} {incr j} { pack [[pick {form form table editor keypad bar listing aLabel}] $column] -anchor w -pady [gap 6] }
}
proc quote {s} { return "\"[string map {\\ \\\\ \" \\\"} $s]\"" }
proc put {kind role x y w h {text ""}} {
  if {$w < 3 || $h < 3 || $x >= [winfo width .] || $y >= [winfo height .]} return
  lappend ::items "{\"class\":\"$kind\",\"role\":\"$role\",\"box\":{\"x\":$x,\"y\":$y,\"width\":$w,\"height\":$h}[expr {$text eq "" ? "" : ",\"text\":[quote $text]"}]}"
}
proc finish {} {
  set ::items {}
  set ox [winfo rootx .]; set oy [winfo rooty .]
  foreach one $::found {
    lassign $one w kind role
    if {![winfo ismapped $w]} continue
    set x [expr {[winfo rootx $w] - $ox}]; set y [expr {[winfo rooty $w] - $oy}]
    set text ""; catch { set text [$w cget -text] }
    if {$role eq "input"} { set text [$w get] }
    if {$kind in {interactive text}} { put $kind $role $x $y [winfo width $w] [winfo height $w] $text } else { put container $role $x $y [winfo width $w] [winfo height $w] }
    if {$kind eq "container"} { put text text [expr {$x + [gap 4]}] $y [expr {[font measure TkDefaultFont $text] + [gap 12]}] [font metrics TkDefaultFont -linespace] $text }
    if {$kind eq "tabs"} {
      foreach tab [$w tabs] {
        set box [list]
        for {set px 0} {$px < [winfo width $w]} {incr px} { if {[$w identify tab $px 8] eq [$w index $tab]} { lappend box $px } }
        set h 8; while {[$w identify tab [lindex $box 5] $h] ne ""} { incr h }
        put interactive tab [expr {$x + [lindex $box 0]}] $y [llength $box] $h [$w tab $tab -text]
      }
    }
    if {$kind eq "table"} {
      set left 0; set top 0
      # Its border first.
      while {$top < 8 && [$w identify region 20 $top] ne "heading"} { incr top }
      while {[$w identify region 20 $top] eq "heading"} { incr top }
      foreach c [$w cget -columns] {
        set width [$w column $c -width]
        put interactive button [expr {$x + $left}] $y $width $top [$w heading $c -text]
        foreach item [$w children {}] {
          set cell [$w bbox $item $c]
          # A row that does not fit is not drawn.
          if {$cell ne "" && [lindex $cell 1] + [lindex $cell 3] < [winfo height $w]} { put text text [expr {$x + [lindex $cell 0]}] [expr {$y + [lindex $cell 1]}] [lindex $cell 2] [lindex $cell 3] [$w set $item $c] }
        }
        incr left $width
      }
    }
    if {$kind eq "list"} {
      for {set i 0} {$i < [$w size]} {incr i} {
        set cell [$w bbox $i]
        if {$cell ne ""} { put text text [expr {$x + [lindex $cell 0]}] [expr {$y + [lindex $cell 1]}] [lindex $cell 2] [lindex $cell 3] [$w get $i] }
      }
    }
    if {$kind eq "lines"} {
      for {set i 1} {$i <= 20} {incr i} {
        set line [$w get $i.0 $i.end]
        set indent [expr {[string length $line] - [string length [string trimleft $line]]}]
        set a [$w bbox $i.$indent]; set b [$w dlineinfo $i.0]
        if {$a eq "" || $b eq ""} continue
        set right [expr {min([lindex $b 0] + [lindex $b 2], [winfo width $w] - 2)}]
        put text text [expr {$x + [lindex $a 0]}] [expr {$y + [lindex $a 1]}] [expr {$right - [lindex $a 0]}] [lindex $a 3] [string trim $line]
      }
    }
  }
  [image create photo -format window -data .] write $::out -format png
  puts "\[[join $::items ,]\]"
  exit 0
}
after 600 finish
