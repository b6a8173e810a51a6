package arch

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"baton/internal/report"
)

// end is what becomes of a code: an error of a kind, a finding of a severity, or a note on a repair.
type end struct {
	kind     report.Kind
	severity report.Severity
	repair   bool
	by       *types.Var // a parameter that decides the kind, where it is none yet
}

// registered is the severity of a finding that the register decides.
const registered report.Severity = "registered"

// flow says where codes go: from constants through variables, parameters, results and fields to
// errors and findings. It neither knows the order of statements nor which branch is taken.
type flow struct {
	*typed                                  // the package that is being read
	code   types.Type                       // report.Code
	from   map[any][]edge                   // what goes to a variable, field, result or slot
	ends   map[any]map[end]bool             // of a constant, variable or slot
	kinds  map[types.Object]map[string]bool // constants of the type Kind or Severity that a variable gets
	as     map[*ast.CallExpr]ast.Expr       // calls of Finding, with the severity that As gives
	result *types.Tuple                     // of the function that is being read
}

// edge leads from where a value is to where it goes.
type edge struct {
	from any
	to   any
	call bool                    // into a parameter
	args map[*types.Var]ast.Expr // of a call: the arguments for parameters of the type Kind
	info *types.Info
}

// slot is a parameter of a function that a variable, a field or another slot holds.
type slot struct {
	of any
	at int
}

// codeEnds returns what becomes of each code of the register.
func codeEnds(s *typedSources) map[*types.Const]map[end]bool {
	f := &flow{
		code: s.codeType(), from: map[any][]edge{}, ends: map[any]map[end]bool{},
		kinds: map[types.Object]map[string]bool{}, as: map[*ast.CallExpr]ast.Expr{},
	}
	for _, read := range []func(ast.Node) bool{f.constants, f.visit} {
		for _, f.typed = range s.packages {
			for _, file := range f.files {
				ast.Inspect(file, read)
			}
		}
	}
	f.spread()
	out := map[*types.Const]map[end]bool{}
	for _, c := range s.codes() {
		out[c] = f.ends[c]
	}
	return out
}

// constants notes which kinds and severities variables get.
func (f *flow) constants(n ast.Node) bool {
	note := func(to, from ast.Expr) {
		object := f.object(to)
		if object == nil {
			return
		}
		if f.kinds[object] == nil {
			f.kinds[object] = map[string]bool{}
		}
		if made, _ := f.literal(from); made != nil && f.named(made, "Error") {
			from = field(made, "Kind") // of an error whose code comes later
		}
		if from != nil {
			if value := f.info.Types[from].Value; value != nil && value.Kind() == constant.String {
				f.kinds[object][constant.StringVal(value)] = true
			}
		}
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i := range n.Rhs {
			if len(n.Rhs) == len(n.Lhs) {
				note(n.Lhs[i], n.Rhs[i])
			}
		}
	case *ast.ValueSpec:
		for i := range n.Values {
			if len(n.Values) == len(n.Names) {
				note(n.Names[i], n.Values[i])
			}
		}
	}
	return true
}

// visit adds what one node does with codes.
func (f *flow) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		if n.Body != nil {
			f.function(f.info.Defs[n.Name].Type(), n.Body)
		}
		return false
	case *ast.FuncLit:
		f.function(f.info.Types[n].Type, n.Body)
		return false
	case *ast.ReturnStmt:
		for i, e := range n.Results {
			if len(n.Results) == f.result.Len() {
				f.flow(e, f.result.At(i))
			}
		}
	case *ast.AssignStmt:
		f.assign(n.Lhs, n.Rhs)
	case *ast.ValueSpec:
		names := make([]ast.Expr, len(n.Names))
		for i := range names {
			names[i] = n.Names[i]
		}
		f.assign(names, n.Values)
	case *ast.RangeStmt:
		if n.Value != nil {
			if v := f.object(n.Value); v != nil {
				f.flow(n.X, v)
			}
		}
	case *ast.CompositeLit:
		f.composite(n)
	case *ast.CallExpr:
		f.call(n)
	}
	return true
}

func (f *flow) function(t types.Type, body *ast.BlockStmt) {
	before := f.result
	f.result = t.(*types.Signature).Results()
	ast.Inspect(body, f.visit)
	f.result = before
}

func (f *flow) assign(to, from []ast.Expr) {
	for i, left := range to {
		switch object := f.object(left); {
		case object == nil:
		case len(from) == len(to):
			if sel, ok := left.(*ast.SelectorExpr); ok && f.ended(sel) {
				for e := range f.endsOf(sel) {
					f.flow(from[i], e)
				}
				continue
			}
			f.flow(from[i], object)
		case len(from) == 1: // of several results
			if call, ok := from[0].(*ast.CallExpr); ok {
				if called, ok := f.object(call.Fun).(*types.Func); ok {
					f.link(called.Signature().Results().At(i), edge{to: object})
				}
			}
		}
	}
}

// ended reports whether a field is the code of an error or a finding, where the way of a code ends.
func (f *flow) ended(sel *ast.SelectorExpr) bool {
	return sel.Sel.Name == "Code" && types.Identical(f.info.Types[sel].Type, f.code) &&
		(f.named(sel.X, "Error") || f.named(sel.X, "Finding"))
}

// endsOf returns what a code is for that a variable gets as its field Code.
func (f *flow) endsOf(sel *ast.SelectorExpr) map[end]bool {
	if f.named(sel.X, "Finding") {
		return map[end]bool{{severity: registered}: true}
	}
	out := map[end]bool{}
	for kind := range f.kinds[f.object(sel.X)] {
		out[end{kind: report.Kind(kind)}] = true
	}
	return out
}

// composite adds the codes among the elements of a literal.
func (f *flow) composite(n *ast.CompositeLit) {
	t, ok := f.info.Types[n].Type.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, e := range n.Elts {
		var to types.Object
		if pair, keyed := e.(*ast.KeyValueExpr); keyed {
			to, e = f.object(pair.Key), pair.Value
		} else if i < t.NumFields() {
			to = t.Field(i)
		}
		switch {
		case to == nil:
		case !types.Identical(to.Type(), f.code):
			f.flow(e, to) // a function, perhaps
		case f.named(n, "Error"):
			for made := range f.kindsOf(field(n, "Kind")) {
				f.flow(e, made)
			}
		case f.named(n, "Row"): // the code of every error of a kind that has none of its own
			if value := f.info.Types[e].Value; value != nil {
				f.flow(e, end{kind: report.Kind(constant.StringVal(value))})
			}
		case f.named(n, "DoctorFix"):
			f.flow(e, end{repair: true})
		case f.named(n, "Finding"), f.named(n, "Problem") && to.Name() == "Reason":
			for severity := range f.severities(field(n, "Severity")) {
				f.flow(e, end{severity: severity})
			}
		default:
			f.flow(e, to)
		}
	}
}

// call adds the codes among the arguments of a call.
func (f *flow) call(n *ast.CallExpr) {
	fun, _ := ast.Unparen(n.Fun).(*ast.SelectorExpr)
	if fun != nil && fun.Sel.Name == "As" && len(n.Args) == 1 {
		if made, ok := ast.Unparen(fun.X).(*ast.CallExpr); ok {
			f.as[made] = n.Args[0]
		}
	}
	if fun != nil && fun.Sel.Name == "Finding" && types.Identical(f.info.Types[fun.X].Type, f.code) {
		for severity := range f.severities(f.as[n]) {
			f.flow(fun.X, end{severity: severity})
		}
		return
	}
	signature, ok := f.info.Types[n.Fun].Type.Underlying().(*types.Signature)
	callee := f.object(n.Fun)
	if !ok {
		return
	}
	literal, _ := ast.Unparen(n.Fun).(*ast.FuncLit)
	if called, ok := callee.(*types.Func); ok {
		signature = called.Origin().Signature() // with the parameters of the declaration
	}
	args := map[*types.Var]ast.Expr{}
	for i, arg := range n.Args {
		if at := min(i, signature.Params().Len()-1); at >= 0 {
			args[signature.Params().At(at)] = arg
		}
	}
	for i, arg := range n.Args {
		at := min(i, signature.Params().Len()-1)
		if at < 0 {
			return
		}
		var to any = signature.Params().At(at)
		if _, held := callee.(*types.Var); held && literal == nil {
			to = slot{callee, at}
		}
		f.sources(arg, func(from any) { f.link(from, edge{to: to, call: true, args: args, info: f.info}) })
		f.hold(arg, to, signature.Params().At(at).Type())
	}
}

// flow adds what an expression gives to a variable, or to an end.
func (f *flow) flow(e ast.Expr, to any) {
	f.sources(e, func(from any) { f.link(from, edge{to: to}) })
	if object, ok := to.(types.Object); ok {
		f.hold(e, object, object.Type())
	}
}

// hold connects the parameters of a function with the variable or parameter that the function is given to.
func (f *flow) hold(e ast.Expr, to any, t types.Type) {
	signature, ok := t.Underlying().(*types.Signature)
	if !ok {
		return
	}
	from := f.object(e)
	var params *types.Tuple
	if literal, ok := ast.Unparen(e).(*ast.FuncLit); ok {
		params = f.info.Types[literal].Type.(*types.Signature).Params()
	} else if declared, ok := from.(*types.Func); ok {
		params = declared.Origin().Signature().Params()
	}
	for i := range signature.Params().Len() {
		var param any
		switch {
		case params != nil && i < params.Len():
			param = params.At(i)
		case params == nil && from != nil:
			param = slot{from, i}
		default:
			return
		}
		f.link(slot{to, i}, edge{to: param})
		if taken, ok := signature.Params().At(i).Type().Underlying().(*types.Signature); ok { // it calls what it is given
			for k := range taken.Params().Len() {
				f.link(slot{param, k}, edge{to: slot{slot{to, i}, k}})
			}
		}
	}
}

// sources calls a function with each constant, variable, field or result that an expression can be.
func (f *flow) sources(e ast.Expr, found func(any)) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident, *ast.SelectorExpr:
		if sel, ok := e.(*ast.SelectorExpr); ok && f.ended(sel) {
			return
		}
		switch object := f.object(e).(type) {
		case *types.Const:
			found(object)
		case *types.Var:
			found(object)
		}
	case *ast.IndexExpr:
		f.sources(e.X, found)
	case *ast.CompositeLit: // of a list
		for _, element := range e.Elts {
			if _, keyed := element.(*ast.KeyValueExpr); !keyed {
				f.sources(element, found)
			}
		}
	case *ast.CallExpr:
		called, ok := f.object(e.Fun).(*types.Func)
		switch {
		case !ok:
		case called.Pkg() != nil && called.Pkg().Path() == "cmp": // cmp.Or
			for _, arg := range e.Args {
				f.sources(arg, found)
			}
		case called.Signature().Results().Len() == 1:
			found(called.Origin().Signature().Results().At(0))
		}
	}
}

func (f *flow) link(from any, e edge) {
	last, ended := e.to.(end)
	if !ended {
		e.from = from
		f.from[e.to] = append(f.from[e.to], e)
		return
	}
	if f.ends[from] == nil {
		f.ends[from] = map[end]bool{}
	}
	f.ends[from][last] = true
}

// spread gives each constant and variable the ends of all that it goes to.
func (f *flow) spread() {
	queue := slices.Collect(maps.Keys(f.ends))
	for len(queue) > 0 {
		to := queue[0]
		queue = queue[1:]
		for _, e := range f.from[to] {
			before := len(f.ends[e.from])
			for last := range f.ends[to] {
				for _, made := range e.made(f, last) {
					f.link(e.from, edge{to: made})
				}
			}
			if len(f.ends[e.from]) > before {
				queue = append(queue, e.from)
			}
		}
	}
}

// made returns what an end behind an edge is before it. A kind that a parameter decides is the argument's.
func (e edge) made(f *flow, last end) []end {
	if last.by == nil || !e.call {
		return []end{last}
	}
	arg, given := e.args[last.by]
	if !given {
		return nil
	}
	f.typed = &typed{info: e.info}
	var out []end
	for made := range f.kindsOf(arg) {
		out = append(out, made)
	}
	return out
}

// kindsOf returns the errors that an expression of the type Kind can be for.
func (f *flow) kindsOf(e ast.Expr) map[end]bool {
	out := map[end]bool{}
	if e == nil {
		return out
	}
	if value := f.info.Types[e].Value; value != nil {
		out[end{kind: report.Kind(constant.StringVal(value))}] = true
		return out
	}
	if v, ok := f.object(e).(*types.Var); ok {
		for kind := range f.kinds[v] {
			out[end{kind: report.Kind(kind)}] = true
		}
		if len(out) == 0 {
			out[end{by: v}] = true
		}
	}
	return out
}

// severities returns the values that an expression of the type Severity can have; the register's without one.
func (f *flow) severities(e ast.Expr) map[report.Severity]bool {
	if e == nil {
		return map[report.Severity]bool{registered: true}
	}
	if value := f.info.Types[e].Value; value != nil {
		return map[report.Severity]bool{report.Severity(constant.StringVal(value)): true}
	}
	out := map[report.Severity]bool{}
	for word := range f.kinds[f.object(e)] {
		out[report.Severity(word)] = true
	}
	return out
}

// object returns what an expression names, nil for anything else.
func (f *flow) object(e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if object := f.info.Defs[e]; object != nil {
			return object
		}
		return f.info.Uses[e]
	case *ast.SelectorExpr:
		return f.info.Uses[e.Sel]
	case *ast.IndexExpr:
		return f.object(e.X) // an element of a list, or a function of a type
	}
	return nil
}

// literal returns the literal of a struct, or of a pointer to one.
func (f *flow) literal(e ast.Expr) (*ast.CompositeLit, bool) {
	if address, ok := e.(*ast.UnaryExpr); ok && address.Op == token.AND {
		e = address.X
	}
	made, ok := e.(*ast.CompositeLit)
	return made, ok
}

// named reports whether an expression has a type of this name, or is a pointer to one.
func (f *flow) named(e ast.Expr, name string) bool {
	t := f.info.Types[e].Type
	if pointer, ok := t.(*types.Pointer); ok {
		t = pointer.Elem()
	}
	of, ok := t.(*types.Named)
	return ok && of.Obj().Name() == name
}

// field returns the value of a field in a literal, nil where it is not set.
func field(n *ast.CompositeLit, name string) ast.Expr {
	for _, e := range n.Elts {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := pair.Key.(*ast.Ident); ok && key.Name == name {
				return pair.Value
			}
		}
	}
	return nil
}
